import { uniqueName } from '@berth/testing';
import { noInput, ofOrganization, READS_USERS, ofFreshMember, ofHolder } from './of.ts';
import type { InputOf } from './of.ts';

export const organizationsInputs: Readonly<Record<string, InputOf>> = {
  'groups.create': ({ organization }) => ({ organization: organization.id, name: uniqueName('group') }),
  'groups.list': noInput,
  'groups.listByOrganization': ofOrganization,
  'groups.get': ({ group }) => ({ group: group.id }),
  'groups.getByName': ({ organization, group }) => ({ organization: organization.id, groupName: group.name }),
  'groups.update': ({ group }) => ({ group: group.id, display_name: 'Sailors' }),
  'groups.delete': async ({ caller, holder, organization }) => {
    const { id } = await caller.groups.create({ organization: organization.id, name: uniqueName('group') });
    // Not by a factory: the holder's rights are cached, and have to hear of it.
    await caller.groups.update({ group: id, add_users: [holder.id] });
    return { group: id };
  },
  'members.list': ofOrganization,
  'members.add': async ({ organization, rows }) => ({ organization: organization.id, user: (await rows.user()).id }),
  'members.remove': ofFreshMember,
  'members.updateRoles': async (fixture) => ({ ...(await ofFreshMember(fixture)), roles: ['organization-auditor'] }),
  'idpSync.organization': noInput,
  'idpSync.updateOrganization': noInput,
  'idpSync.groups': ofOrganization,
  'idpSync.updateGroups': ofOrganization,
  'idpSync.roles': ofOrganization,
  'idpSync.updateRoles': ofOrganization,
  'idpSync.availableFields': noInput,
  'idpSync.organizationFields': ofOrganization,
  'idpSync.dryRun': () => ({ claims: {} }),
  'organizations.list': noInput,
  'organizations.get': ofOrganization,
  'organizations.create': () => ({ name: uniqueName('org') }),
  'organizations.update': ({ organization }) => ({ organization: organization.id, description: 'Boats' }),
  'organizations.delete': ofOrganization,
  'roles.listSite': noInput,
  'roles.createSite': () => ({ name: uniqueName('role'), site_permissions: [READS_USERS] }),
  'roles.updateSite': async ({ rows }) => ({ name: (await rows.role({ sitePermissions: [READS_USERS] })).name, display_name: 'Reader' }),
  'roles.deleteSite': async ({ rows }) => ({ roleName: (await rows.role({ sitePermissions: [READS_USERS] })).name }),
  'roles.listOrganization': ofOrganization,
  'roles.createOrganization': ({ organization }) => ({ organization: organization.id, name: uniqueName('role') }),
  'roles.updateOrganization': async ({ organization, rows }) => ({
    organization: organization.id,
    name: (await rows.role({ organizationId: organization.id })).name,
    display_name: 'Reader',
  }),
  'roles.deleteOrganization': async ({ organization, rows }) => ({
    organization: organization.id,
    roleName: (await rows.role({ organizationId: organization.id })).name,
  }),
  'quotas.explain': ({ organization, holder }) => ({ organization: organization.id, user: holder.id }),
  'quotas.get': ({ organization, holder }) => ({ organization: organization.id, user: holder.id }),
  'quotas.getDeprecated': ({ holder }) => ({ user: holder.id }),
  'quietHours.get': ofHolder,
  'quietHours.update': ({ holder }) => ({ user: holder.id, schedule: '30 22 * * *' }),
};
