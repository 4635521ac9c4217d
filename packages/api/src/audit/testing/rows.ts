import { newId } from '@berth/core';
import type { Prisma, PrismaClient } from '@berth/db';
import { sealAuditRows } from '../sealer.ts';

/** A row for `prisma.auditLog.create` or `createMany`, about a new group unless told otherwise. */
export function auditRow(overrides: Partial<Prisma.AuditLogCreateManyInput> = {}): Prisma.AuditLogCreateManyInput {
  return {
    id: newId(),
    requestId: newId(),
    resourceType: 'group',
    resourceId: newId(),
    resourceTarget: 'some-group',
    action: 'create',
    statusCode: 201,
    ...overrides,
  };
}

/** Seals until nothing waits. Transactions of other test files in the same PostgreSQL may hold rows back for a moment. */
export async function sealAll(prisma: PrismaClient): Promise<number> {
  const deadline = Date.now() + 25_000;
  let total = 0;
  for (;;) {
    const { sealed, isBehind } = await sealAuditRows({ prisma });
    total += sealed;
    if (!isBehind) return total;
    if (Date.now() > deadline) throw new Error('audit rows still wait to be sealed');
    if (sealed === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
