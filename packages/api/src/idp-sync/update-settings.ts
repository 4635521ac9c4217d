import type { Validation } from '@berth/core';
import { NIL_UUID, forbidden, invalid } from '@berth/core';
import { compilePattern } from '@berth/domain';
import { ASSIGNABLE_ORGANIZATION_ROLES, coversRole, groupObject, organizationMemberObject, tableAllowsRole } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { lockCustomRoles, roleDefinition } from '../roles/index.ts';
import type {
  GroupSyncSettings,
  OrganizationSyncSettings,
  RoleSyncSettings,
  UpdateGroupSync,
  UpdateOrganizationSync,
  UpdateRoleSync,
} from './contract.ts';
import { organizationOfSync, syncObject } from './places.ts';
import { readGroupSync, readOrganizationSync, readRoleSync, writeIdpSync } from './settings.ts';

/** The fields of a patch that are given. */
function given<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(patch));
}

/** Refuses mapping targets that do not exist, each under its place in the input. */
function refuseUnknown(mapping: Readonly<Record<string, readonly string[]>>, known: ReadonlySet<string>, word: string): void {
  const problems: Validation[] = Object.entries(mapping).flatMap(([value, targets]) => {
    const unknown = targets.filter((target) => !known.has(target));
    return unknown.length === 0 ? [] : [{ field: `mapping.${value}`, detail: `there is no ${word} ${unknown.join(', ')}` }];
  });
  if (problems.length > 0) throw invalid('Validation failed.', problems.slice(0, 100));
}

const targetsOf = (mapping: Readonly<Record<string, readonly string[]>>): string[] => [...new Set(Object.values(mapping).flat())];

/** Stores how claims become organizations. Needs the right to add people to each organization that the mapping names. */
export async function updateOrganizationSync(
  call: UserCall,
  input: z.output<typeof UpdateOrganizationSync>,
): Promise<OrganizationSyncSettings> {
  call.audit.set({ resourceId: NIL_UUID, target: 'organization' });
  call.authorize.require(syncObject(null), { sitewide: true });
  const before = await readOrganizationSync(call.db);
  const after = { ...before, ...given(input) };
  const rows = await call.db.organization.findMany({ where: { id: { in: targetsOf(after.mapping) } }, select: { id: true } });
  if (input.mapping !== undefined) refuseUnknown(input.mapping, new Set(rows.map(({ id }) => id)), 'organization');
  const mayAdd = rows.every(({ id }) => call.authorize.can('create', organizationMemberObject({ userId: '', organizationId: id })));
  if (!mayAdd) throw forbidden('Claims must not add people where you may not add them yourself.');
  await writeIdpSync(call.db, { kind: 'organization', organizationId: null }, after, call.services.clock.now());
  call.audit.update({ before: tracked('organization', before), after: tracked('organization', after) });
  return after;
}

/** Stores how claims become groups of an organization. Needs the right to change its groups, and to make some if claims may. */
export async function updateGroupSync(call: UserCall, input: z.output<typeof UpdateGroupSync>): Promise<GroupSyncSettings> {
  const { organization: param, legacy_group_name_mapping: _, ...patch } = input;
  call.audit.set({ resourceId: NIL_UUID, target: 'groups' });
  const organization = await organizationOfSync(call, param);
  call.audit.set({ resourceId: organization.id, target: 'groups', organizationId: organization.id });
  const before = await readGroupSync(call.db, organization.id);
  const after = { ...before, ...given(patch) };
  if (after.regex_filter !== null && after.regex_filter !== '' && compilePattern(after.regex_filter) === null) {
    throw invalid('Validation failed.', [{ field: 'regex_filter', detail: 'cannot be read as an RE2 expression' }]);
  }
  if (patch.mapping !== undefined) {
    const rows = await call.db.group.findMany({
      where: { organizationId: organization.id, id: { in: targetsOf(patch.mapping), not: organization.id } },
      select: { id: true },
    });
    refuseUnknown(patch.mapping, new Set(rows.map(({ id }) => id)), 'group of this organization with the id');
  }
  if (after.field !== '') {
    const group = { type: 'group', organizationId: organization.id } as const;
    const mayChange = call.authorize.can('update', groupObject({ id: '', organizationId: organization.id }));
    const mayMake = !after.auto_create_missing_groups || call.authorize.can('create', group);
    if (!mayChange || !mayMake) throw forbidden('Claims must not change groups that you may not change yourself.');
  }
  await writeIdpSync(call.db, { kind: 'groups', organizationId: organization.id }, after, call.services.clock.now());
  call.audit.update({ before: tracked('groups', before), after: tracked('groups', after) });
  return after;
}

/**
 * Stores how claims become roles in an organization. A value that no mapping names counts as a role's name, so switching the sync on, or
 * changing it, needs the right to give every role of the organization; switching it off does not.
 */
export async function updateRoleSync(call: UserCall, input: z.output<typeof UpdateRoleSync>): Promise<RoleSyncSettings> {
  const { organization: param, ...patch } = input;
  call.audit.set({ resourceId: NIL_UUID, target: 'roles' });
  const organization = await organizationOfSync(call, param);
  call.audit.set({ resourceId: organization.id, target: 'roles', organizationId: organization.id });
  const before = await readRoleSync(call.db, organization.id);
  const after = { ...before, ...given(patch) };
  const custom = await lockCustomRoles(call.db, organization.id);
  const roles = [...ASSIGNABLE_ORGANIZATION_ROLES, ...custom.map(({ name }) => name)];
  if (patch.mapping !== undefined) refuseUnknown(patch.mapping, new Set(roles), 'role');
  const { subject } = call.principal;
  const canGive = (role: string): boolean => {
    const definition = custom.find(({ name }) => name === role);
    const isCovered = definition === undefined || coversRole(subject, roleDefinition(definition), organization.id);
    return isCovered && tableAllowsRole(subject, { role, organizationId: organization.id });
  };
  const mayGive = call.authorize.can('assign', { type: 'assign_org_role', organizationId: organization.id });
  if (after.field !== '' && !(mayGive && roles.every(canGive))) {
    const withheld = roles.filter((role) => !mayGive || !canGive(role));
    throw invalid('Claims must not give roles that you may not give yourself.', [
      { field: 'field', detail: `you may not give: ${withheld.join(', ')}` },
    ]);
  }
  await writeIdpSync(call.db, { kind: 'roles', organizationId: organization.id }, after, call.services.clock.now());
  call.audit.update({ before: tracked('roles', before), after: tracked('roles', after) });
  return after;
}

function tracked(kind: string, settings: object): Readonly<Record<string, unknown>> {
  return { kind, settings };
}
