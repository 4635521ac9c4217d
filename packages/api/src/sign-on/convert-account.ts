import { writeAuditRow } from '../kernel/audit.ts';
import type { Principal } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';
import { userSelect } from '../users/index.ts';
import { mirrorPerson } from './mirror-person.ts';
import type { Person } from './person.ts';
import { asciiLower } from './person.ts';
import { SignOnRefusal } from './refusal.ts';
import type { SignOnProvider } from './settings.ts';

type ConvertCall = Pick<Call, 'db' | 'services' | 'audit' | 'request'> & { readonly principal: Principal };

/**
 * Lets an account sign in by `provider` from now on: its password goes, and so does every session that was opened without the provider.
 * Only the account itself, signed in in this very browser, and with the same e-mail address there.
 */
export async function convertAccount(
  call: ConvertCall,
  { provider, person, userId }: { provider: SignOnProvider; person: Person; userId: string },
): Promise<void> {
  const { db, services, principal } = call;
  if (principal.kind !== 'user' || principal.userId !== userId) throw new SignOnRefusal('convert_other_account');
  call.audit.set({ resourceId: userId, target: '', actorId: userId });
  await db.$executeRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
  const user = await db.user.findFirst({ where: { id: userId, deleted: false }, select: userSelect });
  if (user === null) throw new SignOnRefusal('account_deleted');
  if (user.status === 'suspended') throw new SignOnRefusal('account_suspended');
  if (user.loginType !== 'password') throw new SignOnRefusal('other_login_type');
  if (person.refusal !== null) throw new SignOnRefusal(person.refusal);
  if (asciiLower(person.email) !== asciiLower(user.email)) throw new SignOnRefusal('convert_other_email');

  await db.user.update({
    where: { id: userId },
    data: {
      loginType: provider.type,
      passwordHash: null,
      oneTimePasscodeHash: null,
      oneTimePasscodeExpiresAt: null,
      updatedAt: services.clock.now(),
    },
    select: { id: true },
  });
  await db.apiKey.deleteMany({ where: { userId, tokenName: '', loginType: { in: ['password', 'oidc', 'codehost'] } } });
  await writeAuditRow(db, {
    resource: 'user',
    action: 'write',
    resourceId: userId,
    target: user.username,
    before: { login_type: user.loginType, hashed_password: 'set' },
    after: { login_type: provider.type, hashed_password: '' },
    userId,
    statusCode: 200,
    request: call.request,
  });
  await mirrorPerson(call, user, person);
}
