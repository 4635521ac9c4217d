import type { Validation } from '@berth/core';
import { NIL_UUID, forbidden, invalid, newId, notFound } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { organizationMemberObject, organizationObject } from '@berth/rbac';
import type { z } from 'zod';
import { hashPassword } from '../auth/passwords.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { CreateUser, User } from './contract.ts';
import { newUserProblems, refuseTakenNames } from './new-user-rules.ts';
import { presentUser, userSelect } from './presenter.ts';

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
  if (input.login_type !== 'password' && input.login_type !== 'none') {
    problems.push({ field: 'login_type', detail: 'must be `password` or `none`: this deployment has no other way to sign in' });
  }
  if (!hasPassword && input.password !== '') problems.push({ field: 'password', detail: 'must be empty unless login_type is `password`' });
  const asked = input.organization_ids ?? [];
  if (asked.length === 0) problems.push({ field: 'organization_ids', detail: 'must name at least one organization' });
  if (problems.length > 0) throw invalid('Validation failed.', problems);

  const organizationIds = await joinableOrganizations(call, asked);
  await refuseTakenNames(db, input);

  const now = services.clock.now();
  const facts = { id, email: input.email, username: input.username, name: input.name };
  const status = input.user_status ?? 'dormant';
  call.audit.update({ after: { ...facts, login_type: input.login_type, status, rbac_roles: [], deleted: false } });
  try {
    const row = await db.user.create({
      data: {
        ...facts,
        loginType: input.login_type,
        status,
        passwordHash: hasPassword ? await hashPassword(input.password) : null,
        createdAt: now,
        updatedAt: now,
        memberships: { create: organizationIds.map((organizationId) => ({ organizationId, createdAt: now, updatedAt: now })) },
      },
      select: userSelect,
    });
    return presentUser(row);
  } catch (error) {
    // Two requests for one name at the same time: the index decides, and the loser gets the same answer as a later one.
    if (isUniqueViolation(error)) await refuseTakenNames(services.prisma, input);
    throw error;
  }
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
