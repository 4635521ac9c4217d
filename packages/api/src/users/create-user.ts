import type { Validation } from '@berth/core';
import { NIL_UUID, forbidden, invalid, newId, notFound } from '@berth/core';
import type { LoginType } from '@berth/domain';
import { organizationMemberObject, organizationObject } from '@berth/rbac';
import type { z } from 'zod';
import { hashPassword } from '../auth/passwords.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { SignOnSettings } from '../sign-on/settings.ts';
import { auditedUser } from './audit.ts';
import type { CreateUser, User } from './contract.ts';
import { insertUser } from './insert-user.ts';
import { newUserProblems } from './new-user-rules.ts';
import { presentUser } from './presenter.ts';

/**
 * Creates an account in at least one organization. New accounts are dormant until their first use, unless the caller says otherwise.
 * Needs `user:create`, and in each organization the right to add members.
 */
export async function createUser(call: UserCall, input: z.output<typeof CreateUser>): Promise<User> {
  const { db, services } = call;
  const id = newId();
  call.audit.set({ resourceId: id, target: input.username });
  call.authorize.require({ type: 'user' }, { sitewide: true });
  const hasPassword = input.login_type === 'password';
  const problems: Validation[] = newUserProblems({ ...input, password: hasPassword ? input.password : null });
  const loginTypes = loginTypesOf(services.settings.signOn);
  if (!loginTypes.includes(input.login_type)) {
    problems.push({ field: 'login_type', detail: `must be one of the ways to sign in to this deployment: ${loginTypes.join(', ')}` });
  }
  if (!hasPassword && input.password !== '') problems.push({ field: 'password', detail: 'must be empty unless login_type is `password`' });
  const asked = input.organization_ids ?? [];
  if (asked.length === 0) problems.push({ field: 'organization_ids', detail: 'must name at least one organization' });
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  if (hasPassword && !services.settings.signOn.password_enabled) {
    throw forbidden('This deployment does not let people sign in with a password. Choose another login_type.');
  }

  const organizationIds = await joinableOrganizations(call, asked);
  const row = await insertUser(db, services, {
    id,
    email: input.email,
    username: input.username,
    name: input.name,
    loginType: input.login_type,
    status: input.user_status ?? 'dormant',
    passwordHash: hasPassword ? await hashPassword(input.password) : null,
    organizationIds,
  });
  call.audit.update({ after: auditedUser(row) });
  return presentUser(row);
}

/** The ways in which a new account may sign in: by password, not at all (programs with tokens), or by a provider that is configured. */
function loginTypesOf({ providers }: SignOnSettings): LoginType[] {
  return ['password', 'none', ...new Set(providers.map(({ type }) => type))];
}

/** The asked organizations, the zero UUID meaning the default one. Whoever may add members to one knows of it without reading it. */
async function joinableOrganizations(call: UserCall, asked: readonly string[]): Promise<string[]> {
  const rows = await call.db.organization.findMany({
    where: { OR: [{ id: { in: [...asked] } }, ...(asked.includes(NIL_UUID) ? [{ isDefault: true }] : [])] },
    select: { id: true },
  });
  const found = new Set(rows.map((row) => row.id));
  if (asked.some((id) => id !== NIL_UUID && !found.has(id))) throw notFound();
  for (const organizationId of found) {
    if (call.authorize.can('create', organizationMemberObject({ userId: '', organizationId }))) continue;
    throw call.authorize.can('read', organizationObject(organizationId)) ? forbidden() : notFound();
  }
  return [...found];
}
