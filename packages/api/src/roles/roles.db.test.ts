import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser, keyOf, services } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const inOrganization = { organization: organization.id };
const admin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });
const owner = await rows.user({ siteRoles: ['owner'] });
const api = callAsUser(admin.id).roles;
const ownerApi = callAsUser(owner.id).roles;
const may = (
  resource_type: 'workspace' | 'template' | 'user' | 'api_key' | 'license' | '*',
  action: 'read' | 'ssh' | 'update' | '*',
  negate = false,
) => ({
  negate,
  resource_type,
  action,
});
const fieldsOf = (refusal: Promise<unknown>) =>
  refusal.then(
    () => [],
    (error: { cause: { validations: { field: string }[] } }) => error.cause.validations.map(({ field }) => field),
  );

describe('list', () => {
  it('shows the roles of the site to everyone, and says which the caller may give', async () => {
    const custom = await rows.role({ displayName: 'Guest', sitePermissions: [may('user', 'read')] });
    const assignable = async (userId: string) =>
      (await callAsUser(userId).roles.listSite({})).filter((role) => role.assignable).map((role) => role.name);
    const roles = await ownerApi.listSite({});
    expect(roles.slice(0, 4).map((role) => role.name)).toEqual(['owner', 'template-admin', 'user-admin', 'auditor']);
    expect(roles.find((role) => role.name === custom.name)).toEqual({
      name: custom.name,
      display_name: 'Guest',
      organization_id: null,
      site_permissions: [may('user', 'read')],
      organization_permissions: [],
      user_permissions: [],
      assignable: true,
      built_in: false,
    });
    expect(await assignable(owner.id)).toEqual(roles.map((role) => role.name));
    expect(await assignable((await rows.user({ siteRoles: ['user-admin'] })).id)).toEqual([]);
    expect(await assignable((await rows.user()).id)).toEqual([]);
  });

  it('shows the roles of an organization to its members, and says which the caller may give', async () => {
    const crew = await rows.organization();
    const reader = await rows.role({ organizationId: crew.id, organizationPermissions: [may('workspace', 'read')] });
    const opener = await rows.role({ organizationId: crew.id, organizationPermissions: [may('workspace', 'ssh')] });
    const assignable = async (userId: string) =>
      (await callAsUser(userId).roles.listOrganization({ organization: crew.id }))
        .filter((role) => role.assignable)
        .map((role) => role.name);
    const builtIn = ['organization-admin', 'organization-auditor', 'organization-user-admin', 'organization-template-admin'];
    const crewAdmin = await rows.user({ memberOf: [{ organizationId: crew.id, roles: ['organization-admin'] }] });
    expect(await assignable(crewAdmin.id)).toEqual([...builtIn, reader.name]);
    expect(await assignable(owner.id)).toEqual(expect.arrayContaining([...builtIn, reader.name, opener.name]));
    expect(await assignable((await rows.user({ memberOf: [crew.id] })).id)).toEqual([]);
    await expect(callAsUser((await rows.user()).id).roles.listOrganization({ organization: crew.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('create', () => {
  it('answers one role in a list, and records what it grants', async () => {
    const name = uniqueName('role');
    const made = await api.createOrganization({
      ...inOrganization,
      name,
      display_name: 'Reader',
      organization_permissions: [may('workspace', 'read')],
    });
    expect(made).toEqual([
      {
        name,
        display_name: 'Reader',
        organization_id: organization.id,
        site_permissions: [],
        organization_permissions: [may('workspace', 'read')],
        user_permissions: [],
      },
    ]);
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceTarget: name } });
    expect(audit).toMatchObject({ action: 'create', resourceType: 'custom_role', organizationId: organization.id });
    expect(audit.diff).toMatchObject({ org_permissions: { new: [may('workspace', 'read')] } });
  });

  it('grants nothing that its maker does not hold in this very place', async () => {
    const name = uniqueName('role');
    const make = (permission: ReturnType<typeof may>) =>
      fieldsOf(api.createOrganization({ ...inOrganization, name, organization_permissions: [permission] }));
    // An administrator of an organization does not enter the workspaces of others.
    expect(await make(may('workspace', 'ssh'))).toEqual(['organization_permissions.0']);
    const elsewhere = await rows.organization();
    await expect(api.createOrganization({ organization: elsewhere.id, name })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const siteMaker = await rows.role({
      sitePermissions: [{ negate: false, resource_type: 'assign_role', action: 'create' }, may('user', 'read')],
    });
    const maker = callAsUser((await rows.user({ siteRoles: [siteMaker.name] })).id).roles;
    expect(await fieldsOf(maker.createSite({ name, site_permissions: [may('user', 'read'), may('user', 'update')] }))).toEqual([
      'site_permissions.1',
    ]);
    expect(
      await maker.createSite({ name, site_permissions: [may('user', 'read')], user_permissions: [may('api_key', 'read')] }),
    ).toMatchObject([{ name, organization_id: null }]);
  });

  it('takes no wildcard, no negation, and no pair that does not exist, and says so line by line', async () => {
    const lines = [
      may('*', 'read'),
      may('workspace', '*'),
      may('workspace', 'read', true),
      may('license', 'update'),
      may('workspace', 'read'),
    ];
    expect(
      await fieldsOf(api.createOrganization({ ...inOrganization, name: uniqueName('role'), organization_permissions: lines })),
    ).toEqual([0, 1, 2, 3].map((index) => `organization_permissions.${index}`));
  });

  it('keeps to the levels of its place', async () => {
    const levels = {
      name: uniqueName('role'),
      site_permissions: [may('user', 'read')],
      organization_permissions: [may('template', 'read')],
      user_permissions: [may('api_key', 'read')],
    };
    expect(await fieldsOf(callAsUser(owner.id).roles.createOrganization({ ...inOrganization, ...levels }))).toEqual([
      'site_permissions',
      'user_permissions',
    ]);
    expect(await fieldsOf(ownerApi.createSite(levels))).toContain('organization_permissions');
  });

  it('refuses the names of built-in roles and of those there are, in any case', async () => {
    const role = await rows.role({ organizationId: organization.id });
    for (const name of ['owner', 'Organization-Admin', 'member', role.name.toUpperCase()]) {
      expect(await fieldsOf(api.createOrganization({ ...inOrganization, name })), name).toEqual(['name']);
    }
    expect(await ownerApi.createSite({ name: role.name })).toMatchObject([{ name: role.name, organization_id: null }]);
  });

  it('starts without holders, even where a former role of this name was left behind', async () => {
    const name = uniqueName('role');
    const left = await rows.user({ memberOf: [{ organizationId: organization.id, roles: [name, 'organization-auditor'] }] });
    await api.createOrganization({ ...inOrganization, name, organization_permissions: [may('workspace', 'read')] });
    expect(await prisma.organizationMember.findFirstOrThrow({ where: { userId: left.id } })).toMatchObject({
      roles: ['organization-auditor'],
    });
  });
});

describe('update', () => {
  it('keeps what is absent, and holds for the next request of every holder', async () => {
    const role = await rows.role({
      organizationId: organization.id,
      displayName: 'Reader',
      organizationPermissions: [may('workspace', 'read')],
    });
    const holder = await rows.user({ memberOf: [{ organizationId: organization.id, roles: [role.name] }] });
    const { workspace } = await rows.workspace({ organization });
    const key = await keyOf(holder.id);
    const holds = async () => {
      const principal = await services.authenticator.byToken(key, '');
      if (principal?.kind !== 'user') throw new Error('nobody');
      return principal.subject.customRoles?.get(organization.id)?.[0]?.organization.map((rule) => rule.action);
    };
    expect(await holds()).toEqual(['read']);
    expect(await callAsUser(holder.id).workspaces.get({ workspace: workspace.id })).toMatchObject({ id: workspace.id });

    const changed = await api.updateOrganization({ ...inOrganization, name: role.name, organization_permissions: [] });
    expect(changed).toMatchObject([{ display_name: 'Reader', organization_permissions: [] }]);
    expect(await holds()).toEqual([]);
    await expect(callAsUser(holder.id).workspaces.get({ workspace: workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: role.id } });
    expect(audit).toMatchObject({ action: 'write', resourceTarget: role.name });
  });

  it('of an unknown role is not found, and of a built-in one refused', async () => {
    await expect(api.updateOrganization({ ...inOrganization, name: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await fieldsOf(api.updateOrganization({ ...inOrganization, name: 'organization-admin' }))).toEqual(['name']);
    const ofSite = await rows.role();
    await expect(api.updateOrganization({ ...inOrganization, name: ofSite.name })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not for those whom the role outranks: nobody acts on a principal with more rights than their own', async () => {
    const role = await rows.role({ organizationId: organization.id, organizationPermissions: [may('workspace', 'ssh')] });
    const path = { ...inOrganization, roleName: role.name };
    await expect(api.updateOrganization({ ...inOrganization, name: role.name, organization_permissions: [] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(api.deleteOrganization(path)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await ownerApi.deleteOrganization(path)).toMatchObject([{ name: role.name }]);
  });
});

describe('delete', () => {
  it('takes the role from everyone who holds it, at once, and answers it as it was', async () => {
    const role = await rows.role({ organizationId: organization.id, organizationPermissions: [may('workspace', 'read')] });
    const elsewhere = await rows.organization();
    const namesake = await rows.role({ organizationId: elsewhere.id, name: role.name });
    const holder = await rows.user({
      memberOf: [
        { organizationId: organization.id, roles: [role.name, 'organization-auditor'] },
        { organizationId: elsewhere.id, roles: [namesake.name] },
      ],
    });
    const key = await keyOf(holder.id);
    await services.authenticator.byToken(key, '');
    expect(await api.deleteOrganization({ ...inOrganization, roleName: role.name.toUpperCase() })).toMatchObject([
      { name: role.name, organization_permissions: [may('workspace', 'read')] },
    ]);
    expect(await services.authenticator.byToken(key, '')).toMatchObject({
      subject: {
        organizations: new Map([
          [organization.id, ['organization-auditor']],
          [elsewhere.id, [namesake.name]],
        ]),
      },
    });
    await expect(api.deleteOrganization({ ...inOrganization, roleName: role.name })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of a role of the site takes it from every account', async () => {
    const role = await rows.role({ sitePermissions: [may('user', 'read')] });
    const holder = await rows.user({ siteRoles: ['auditor', role.name] });
    await expect(
      callAsUser((await rows.user({ siteRoles: ['user-admin'] })).id).roles.deleteSite({ roleName: role.name }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await ownerApi.deleteSite({ roleName: role.name });
    expect(await prisma.user.findUniqueOrThrow({ where: { id: holder.id } })).toMatchObject({ siteRoles: ['auditor'] });
  });

  it('leaves nobody with the role who was being given it at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const role = await rows.role({ organizationId: organization.id });
      const user = await rows.user({ memberOf: [organization.id] });
      await Promise.allSettled([
        callAsUser(admin.id).members.updateRoles({ ...inOrganization, user: user.id, roles: [role.name] }),
        api.deleteOrganization({ ...inOrganization, roleName: role.name }),
      ]);
      expect(await prisma.organizationMember.count({ where: { organizationId: organization.id, roles: { has: role.name } } })).toBe(0);
    }
  });
});
