import { forbidden, invalid, invalidField } from '@berth/core';
import type { RoleChangeProblem } from '@berth/rbac';
import { IMPLIED_SITE_ROLE, coversRole, roleChangeProblem, userObject } from '@berth/rbac';
import type { z } from 'zod';
import { lockUser } from '../auth/lock-user.ts';
import { readCustomRoles } from '../auth/subject-row.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { lockCustomRoles } from '../roles/role-rows.ts';
import { auditedUser } from './audit.ts';
import type { UpdateRoles, User, UserRoles } from './contract.ts';
import { userSelect } from './presenter.ts';
import { requireAnotherOwner, requireCover } from './protect.ts';
import { resolveUser } from './resolve-user.ts';
import { showUser } from './show-users.ts';

/** A user with the roles they were given, on the site and in each organization they belong to. */
export async function getUserRoles(call: UserCall, input: { user: string }): Promise<UserRoles> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  const memberships = await call.db.organizationMember.findMany({
    where: { userId: user.id },
    select: { organizationId: true, roles: true },
    orderBy: { createdAt: 'asc' },
  });
  return {
    ...(await showUser(call.db, user)),
    organization_roles: Object.fromEntries(memberships.map(({ organizationId, roles }) => [organizationId, roles])),
  };
}

const SENTENCES: Readonly<Record<Exclude<RoleChangeProblem, 'own_roles' | 'not_permitted'>, (role: string) => string>> = {
  unknown_role: (role) => `There is no site role "${role}".`,
  wrong_level: (role) => `"${role}" is a role of organizations: give it to the user as a member of one.`,
  not_assignable: (role) => `Your own roles do not let you give or take the role "${role}".`,
};

/**
 * Replaces the site roles of a user, built-in and custom ones. Nobody changes their own, acts on somebody with more rights, gives a
 * custom role that grants more than they hold themselves, or takes the role of the last owner.
 */
export async function updateUserRoles(call: UserCall, input: z.output<typeof UpdateRoles>): Promise<User> {
  const { db, principal } = call;
  const found = await resolveUser(call, input.user);
  call.audit.set({ resourceId: found.id, target: found.username });
  call.authorize.require({ type: 'assign_role' }, { sitewide: true });
  // Roles that come and go must be what they are now, and the user's those that another change left. Roles first: as where one is deleted.
  await lockCustomRoles(db, null);
  await lockUser(db, found.id);
  const user = await resolveUser(call, found.id);
  if (user.id === principal.userId) throw invalid('You cannot change your own roles.');
  await requireCover(call, user.id);
  if (input.roles === undefined) return showUser(db, user);

  const wanted = [...new Set(input.roles)].filter((role) => role !== IMPLIED_SITE_ROLE);
  const added = wanted.filter((role) => !user.siteRoles.includes(role));
  const removed = user.siteRoles.filter((role) => !wanted.includes(role));
  if (added.length === 0 && removed.length === 0) return showUser(db, user);
  await requireChangeable(call, { userId: user.id, added, removed });
  if (removed.includes('owner')) await requireAnotherOwner(db, user.id);

  const row = await db.user.update({
    where: { id: user.id, deleted: false },
    data: { siteRoles: wanted, updatedAt: call.services.clock.now() },
    select: userSelect,
  });
  await announceRights(call, user.id);
  call.audit.update({ before: auditedUser(user), after: auditedUser(row) });
  return showUser(db, row);
}

async function requireChangeable(
  { db, principal: { subject } }: UserCall,
  { userId, added, removed }: { readonly userId: string; readonly added: readonly string[]; readonly removed: readonly string[] },
): Promise<void> {
  const custom = await readCustomRoles(db, { organizationId: null, names: [...added, ...removed] });
  // A role that was deleted meanwhile may be taken from whoever still has it.
  const gone = removed.filter((role) => roleChangeProblem(subject, { ...change(userId, role), change: 'delete' }) === 'unknown_role');
  const customRoleNames = [...custom.map(({ name }) => name), ...gone];
  const changes = [
    ...added.map((role) => ({ ...change(userId, role), change: 'assign' as const, customRoleNames })),
    ...removed.map((role) => ({ ...change(userId, role), change: 'delete' as const, customRoleNames })),
  ];
  for (const asked of changes) {
    const problem = roleChangeProblem(subject, asked);
    if (problem === null) continue;
    if (problem === 'not_permitted') throw forbidden();
    if (problem === 'own_roles') throw invalid('You cannot change your own roles.');
    throw invalidField('roles', SENTENCES[problem](asked.role));
  }
  for (const role of custom) {
    if (!added.includes(role.name) || coversRole(subject, role, null)) continue;
    throw forbidden(`The role "${role.name}" grants more than you may do yourself, so you may not give it.`);
  }
}

function change(targetUserId: string, role: string): { targetUserId: string; role: string; organizationId: null } {
  return { targetUserId, role, organizationId: null };
}
