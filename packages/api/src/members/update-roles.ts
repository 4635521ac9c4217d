import { forbidden, invalid, invalidField } from '@berth/core';
import type { RoleChangeProblem, Subject } from '@berth/rbac';
import { coversRole, IMPLIED_ORGANIZATION_ROLE, roleChangeProblem } from '@berth/rbac';
import type { z } from 'zod';
import { isRoleSynced } from '../idp-sync/index.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { resolveOrganization } from '../organizations/index.ts';
import type { CustomRole } from '../roles/index.ts';
import { lockCustomRoles, roleDefinition, shownName } from '../roles/index.ts';
import { auditedMember } from './audit.ts';
import type { OrganizationMember, UpdateMemberRoles } from './contract.ts';
import type { MemberRow } from './member-rows.ts';
import { memberSelect } from './member-rows.ts';
import { permittedMember, requireCoverIn } from './permitted-member.ts';
import { presentMember } from './presenter.ts';

/** Replaces the roles of a member. Each that comes and each that goes must be the caller's to give; nobody changes their own. */
export async function updateMemberRoles(call: UserCall, input: z.output<typeof UpdateMemberRoles>): Promise<OrganizationMember> {
  const { db, principal } = call;
  // Roles first, as where one is deleted: two orders would be a deadlock.
  const custom = await lockCustomRoles(db, (await resolveOrganization(call, input.organization)).id);
  const row = await permittedMember(call, input, ({ organizationId }) => ({ type: 'assign_org_role', organizationId }));
  const { organizationId, userId } = row;
  if (userId === principal.userId) throw invalid('Nobody changes their own roles: somebody else has to.');
  if (row.user.loginType === 'oidc' && (await isRoleSynced(db, organizationId))) {
    throw invalid('The identity provider decides the roles of this user in the organization: change them there.');
  }
  // Every member has it, and it is stored nowhere.
  const roles = [...new Set(input.roles)].filter((name) => name !== IMPLIED_ORGANIZATION_ROLE);
  refuseChanges(principal.subject, { row, roles, custom });
  await requireCoverIn(call, row);
  const after = await db.organizationMember.update({
    where: { organizationId_userId: { organizationId, userId } },
    data: { roles, updatedAt: call.services.clock.now() },
    select: memberSelect,
  });
  await announceRights(call, userId);
  call.audit.update({ before: auditedMember(row), after: auditedMember(after) });
  return presentMember(after, { organization: new Map(custom.map((role) => [role.name, shownName(role)])) });
}

interface AskedRoles {
  readonly row: MemberRow;
  readonly roles: readonly string[];
  readonly custom: readonly CustomRole[];
}

/** Says every role that the caller may not give or take, at once. */
function refuseChanges(actor: Subject, { row, roles, custom }: AskedRoles): void {
  const given = roles.filter((name) => !row.roles.includes(name));
  const taken = row.roles.filter((name) => !roles.includes(name));
  const place = { organizationId: row.organizationId, targetUserId: row.userId, customRoleNames: custom.map(({ name }) => name) };
  const problems = [
    ...given.map((role) => sentenceOf(role, roleChangeProblem(actor, { ...place, role, change: 'assign' }))),
    ...taken.map((role) => {
      const problem = roleChangeProblem(actor, { ...place, role, change: 'delete' });
      // What is stored and exists no longer grants nothing; it only has to go.
      return problem === 'unknown_role' ? null : sentenceOf(role, problem);
    }),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw invalidField('roles', problems.join('; '));
  for (const role of custom) {
    if (!given.includes(role.name) || coversRole(actor, roleDefinition(role), row.organizationId)) continue;
    throw forbidden(`The role "${role.name}" grants more than you may do yourself, so you may not give it.`);
  }
}

function sentenceOf(role: string, problem: RoleChangeProblem | null): string | null {
  if (problem === 'not_permitted') throw forbidden();
  return problem === null ? null : `"${role}" ${REASONS[problem]}`;
}

const REASONS: Readonly<Record<Exclude<RoleChangeProblem, 'not_permitted'>, string>> = {
  own_roles: 'is your own',
  unknown_role: 'is not a role of this organization',
  wrong_level: 'is a role of the site, which is not given in an organization',
  not_assignable: 'is not yours to give or take',
};
