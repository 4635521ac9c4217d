import { conflict, invalid, notFound } from '@berth/core';
import { hashPassword } from '../auth/passwords.ts';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { Call } from '../kernel/procedures.ts';
import type { Services } from '../kernel/context.ts';
import { auditedUser } from './audit.ts';
import { insertUser } from './insert-user.ts';
import { newUserProblems } from './new-user-rules.ts';

/** Any number that only this use case locks. */
const FIRST_USER_LOCK = 7_270_001;

/** Confirms that the first user exists; `not_found` while there is none. */
export async function requireFirstUser(services: Services): Promise<Confirmation> {
  const first = await services.prisma.user.findFirst({ where: { deleted: false }, select: { id: true } });
  if (first === null) throw notFound();
  return confirmed('The first user exists.');
}

export interface FirstUser {
  readonly email: string;
  readonly username: string;
  readonly name: string;
  readonly password: string;
}

/** Creates the account that owns the deployment, in the default organization. Only while no account exists; exactly one of many callers wins. */
export async function createFirstUser(call: Call, user: FirstUser): Promise<{ user_id: string; organization_id: string }> {
  const { db, services } = call;
  const problems = newUserProblems(user);
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_USER_LOCK})`;
  if ((await db.user.count({ where: { deleted: false } })) > 0) throw conflict('The first user exists already. Sign in instead.');
  const organization = await db.organization.findFirstOrThrow({ where: { isDefault: true }, select: { id: true } });
  const row = await insertUser(db, services, {
    email: user.email,
    username: user.username,
    name: user.name,
    loginType: 'password',
    status: 'active',
    passwordHash: await hashPassword(user.password),
    organizationIds: [organization.id],
    siteRoles: ['owner'],
  });
  call.audit.set({ resourceId: row.id, target: row.username, actorId: row.id, after: auditedUser(row) });
  return { user_id: row.id, organization_id: organization.id };
}
