import { NIL_UUID } from '@berth/core';
import type { Tx } from '@berth/db';
import type { UserStatus } from '@berth/domain';
import { writeAuditRow } from '../kernel/audit.ts';

/** Records that an account fell asleep or woke up. No request did it, and no administrator: the row says which part of the server. */
export async function recordDormancy(
  db: Tx,
  user: { readonly id: string; readonly username: string },
  { before, after }: { readonly before: UserStatus; readonly after: UserStatus },
): Promise<void> {
  await writeAuditRow(db, {
    resource: 'user',
    action: 'write',
    resourceId: user.id,
    target: user.username,
    userId: null,
    statusCode: 200,
    request: { requestId: NIL_UUID, ip: '', userAgent: '' },
    before: { status: before },
    after: { status: after },
    additionalFields: { automatic_actor: 'Berth', automatic_subsystem: 'dormancy' },
  });
}
