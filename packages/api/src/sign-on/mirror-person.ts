import { sameText } from '@berth/db';
import { normalizeRealName } from '@berth/domain';
import { writeAuditRow } from '../kernel/audit.ts';
import type { Call } from '../kernel/procedures.ts';
import type { UserRow } from '../users/index.ts';
import { auditedUser, userSelect } from '../users/index.ts';
import type { Person } from './person.ts';

/**
 * Gives an account the e-mail address, name and picture that its provider has for the person now, and makes a dormant one active. What the
 * provider does not say stays; an address that another account has stays, too, and does not keep anybody from signing in.
 */
export async function mirrorPerson(call: Pick<Call, 'db' | 'services' | 'request'>, user: UserRow, person: Person): Promise<void> {
  const { db, services } = call;
  const name = normalizeRealName(person.name);
  const wanted = {
    email: person.email === user.email || (await isTaken(call, user.id, person.email)) ? user.email : person.email,
    name: name === '' ? user.name : name,
    avatarUrl: person.avatarUrl === '' ? user.avatarUrl : person.avatarUrl,
    status: user.status === 'dormant' ? 'active' : user.status,
  };
  const hasChanged =
    wanted.email !== user.email || wanted.name !== user.name || wanted.avatarUrl !== user.avatarUrl || wanted.status !== user.status;
  if (!hasChanged) return;
  const row = await db.user.update({ where: { id: user.id }, data: { ...wanted, updatedAt: services.clock.now() }, select: userSelect });
  await writeAuditRow(db, {
    resource: 'user',
    action: 'write',
    resourceId: user.id,
    target: user.username,
    before: auditedUser(user),
    after: auditedUser(row),
    additionalFields: { automatic_subsystem: 'sign_on' },
    userId: user.id,
    statusCode: 200,
    request: call.request,
  });
}

async function isTaken({ db, services }: Pick<Call, 'db' | 'services'>, userId: string, email: string): Promise<boolean> {
  const other = await db.user.findFirst({
    where: { email: sameText(email), deleted: false, id: { not: userId } },
    select: { id: true },
  });
  if (other !== null) services.log.warn({ user_id: userId }, 'the provider’s e-mail address of this user belongs to another account');
  return other !== null;
}
