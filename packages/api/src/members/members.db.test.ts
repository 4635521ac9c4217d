import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser, keyOf, services } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const inOrganization = { organization: organization.id };
const withRoles = (...roles: string[]) => rows.user({ memberOf: [{ organizationId: organization.id, roles }] });
const admin = await withRoles('organization-admin');
const userAdmin = await withRoles('organization-user-admin');
const api = callAsUser(admin.id).members;
const READS_WORKSPACES = { negate: false, resource_type: 'workspace', action: 'read' };
const ENTERS_WORKSPACES = { negate: false, resource_type: 'workspace', action: 'ssh' };

describe('list', () => {
  it('shows members with their roles here and everywhere, in words', async () => {
    const crew = await rows.organization();
    const role = await rows.role({ organizationId: crew.id, displayName: 'Deck hand' });
    const siteRole = await rows.role({ displayName: 'Harbour master' });
    const user = await rows.user({ siteRoles: ['auditor', siteRole.name], memberOf: [{ organizationId: crew.id, roles: [role.name] }] });
    await rows.user({ memberOf: [crew.id], deleted: true });
    expect(await callAsUser(user.id).members.list({ organization: crew.name })).toEqual([
      {
        user_id: user.id,
        organization_id: crew.id,
        username: user.username,
        name: '',
        email: user.email,
        avatar_url: '',
        roles: [{ name: role.name, display_name: 'Deck hand', organization_id: crew.id }],
        global_roles: [
          { name: 'auditor', display_name: 'Auditor', organization_id: '' },
          { name: siteRole.name, display_name: 'Harbour master', organization_id: '' },
        ],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
  });

  it('shows a plain member themselves, and people outside nothing at all', async () => {
    const [member, outsider] = [await withRoles(), await rows.user()];
    expect(await callAsUser(member.id).members.list(inOrganization)).toMatchObject([{ user_id: member.id }]);
    await expect(callAsUser(outsider.id).members.list(inOrganization)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('goes through pages by user name', async () => {
    const crew = await rows.organization();
    for (const prefix of ['c', 'a', 'b']) await rows.user({ username: `${prefix}-${newId().slice(-8)}`, memberOf: [crew.id] });
    const auditor = callAsUser((await rows.user({ siteRoles: ['auditor'] })).id).members;
    const initials = async (page: { limit?: number; offset?: number }) =>
      (await auditor.list({ organization: crew.id, ...page })).map((member) => member.username[0]);
    expect(await initials({})).toEqual(['a', 'b', 'c']);
    expect(await initials({ limit: 1, offset: 1 })).toEqual(['b']);
  });

  it('finds those who have every word in their names, address or roles, whatever its characters', async () => {
    const crew = await rows.organization();
    const end = newId().slice(-8);
    await rows.user({
      username: `ada-${end}`,
      email: `100%-${end}@example.com`,
      memberOf: [{ organizationId: crew.id, roles: ['organization-auditor'] }],
    });
    await rows.user({ username: `ben-${end}`, memberOf: [crew.id] });
    const auditor = callAsUser((await rows.user({ siteRoles: ['auditor'] })).id).members;
    const found = async (q: string) => (await auditor.list({ organization: crew.id, q })).map(({ username }) => username.slice(0, 3));
    expect(await found(`${end} ADA`)).toEqual(['ada']);
    expect(await found('organization-auditor')).toEqual(['ada']);
    expect(await found('0%-')).toEqual(['ada']);
    expect(await found('ada ben')).toEqual([]);
    expect(await found('  ')).toEqual(['ada', 'ben']);
  });
});

describe('add', () => {
  it('makes a user a member without roles, and records it', async () => {
    const user = await rows.user();
    expect(await api.add({ ...inOrganization, user: user.username })).toMatchObject({
      user_id: user.id,
      organization_id: organization.id,
      roles: [],
    });
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id, resourceType: 'organization_member' } });
    expect(audit).toMatchObject({ action: 'create', resourceTarget: user.username, organizationId: organization.id });
    await expect(api.add({ ...inOrganization, user: user.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('finds nobody who is unknown, deleted, or beyond what the caller may read', async () => {
    const gone = await rows.user({ deleted: true });
    for (const user of [newId(), gone.id, 'nobody-at-all']) {
      await expect(api.add({ ...inOrganization, user })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('is left to the identity provider for those who sign in by one, while it decides the organizations', async () => {
    const user = await rows.user({ loginType: 'oidc' });
    const setting = { id: newId(), kind: 'organization', settings: { field: 'orgs', mapping: {}, organization_assign_default: false } };
    await prisma.idpSyncSetting.create({ data: setting });
    await expect(api.add({ ...inOrganization, user: user.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await prisma.idpSyncSetting.delete({ where: { id: setting.id } });
    expect(await api.add({ ...inOrganization, user: user.id })).toMatchObject({ user_id: user.id });
  });
});

describe('remove', () => {
  it('ends the membership with its groups at the next request, and leaves the workspaces', async () => {
    const user = await withRoles();
    const group = await rows.group({ organizationId: organization.id, memberIds: [user.id] });
    const elsewhere = await rows.organization();
    const other = await rows.group({ organizationId: elsewhere.id, memberIds: [user.id] });
    const { workspace } = await rows.workspace({ organization, owner: user });
    const key = await keyOf(user.id);
    expect(await services.authenticator.byToken(key, '')).toMatchObject({ subject: { organizations: new Map([[organization.id, []]]) } });

    await api.remove({ ...inOrganization, user: user.id });
    expect(await services.authenticator.byToken(key, '')).toMatchObject({ subject: { organizations: new Map(), groups: [other.id] } });
    expect(await prisma.groupMember.count({ where: { groupId: group.id } })).toBe(0);
    expect(await prisma.workspace.findUniqueOrThrow({ where: { id: workspace.id } })).toMatchObject({ ownerId: user.id, deleted: false });
    await expect(callAsUser(user.id).workspaces.get({ workspace: workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id, resourceType: 'organization_member' } });
    expect(audit).toMatchObject({ action: 'delete', resourceTarget: user.username });
  });

  it('of oneself is refused, and of somebody who is no member not found', async () => {
    await expect(api.remove({ ...inOrganization, user: 'me' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(api.remove({ ...inOrganization, user: (await rows.user()).id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('needs as many rights in the organization as the member has: nobody acts on a principal with more rights than their own', async () => {
    const boss = await withRoles('organization-admin');
    const siteOwner = await rows.user({ siteRoles: ['owner'], memberOf: [organization.id] });
    const adminElsewhere = await rows.user({
      memberOf: [organization.id, { organizationId: (await rows.organization()).id, roles: ['organization-admin'] }],
    });
    const limited = callAsUser(userAdmin.id).members;
    for (const user of [boss.id, siteOwner.id]) {
      await expect(limited.remove({ ...inOrganization, user })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(api.remove({ ...inOrganization, user: siteOwner.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await limited.remove({ ...inOrganization, user: adminElsewhere.id });
    await api.remove({ ...inOrganization, user: boss.id });
  });
});

describe('updateRoles', () => {
  it('replaces the roles, at once for the next request, and records both sets', async () => {
    const user = await withRoles('organization-auditor');
    const key = await keyOf(user.id);
    await services.authenticator.byToken(key, '');
    const roles = ['organization-template-admin', 'organization-member', 'organization-template-admin'];
    expect(await api.updateRoles({ ...inOrganization, user: user.username, roles })).toMatchObject({
      roles: [{ name: 'organization-template-admin', display_name: 'Organization Template Admin', organization_id: organization.id }],
    });
    expect(await services.authenticator.byToken(key, '')).toMatchObject({
      subject: { organizations: new Map([[organization.id, ['organization-template-admin']]]) },
    });
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id, action: 'write' } });
    expect(audit.diff).toMatchObject({ roles: { old: ['organization-auditor'], new: ['organization-template-admin'] } });
  });

  it('is refused for one’s own, also to an owner', async () => {
    const owner = await rows.user({ siteRoles: ['owner'], memberOf: [organization.id] });
    for (const user of [admin, owner]) {
      const attempt = callAsUser(user.id).members.updateRoles({ ...inOrganization, user: 'me', roles: [] });
      await expect(attempt).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('their own roles') });
    }
  });

  it('says every role that is wrong, at once', async () => {
    const user = await withRoles('organization-auditor');
    const attempt = callAsUser(userAdmin.id).members.updateRoles({ ...inOrganization, user: user.id, roles: ['auditor', 'nonsense'] });
    await expect(attempt).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: {
        validations: [
          {
            field: 'roles',
            detail:
              '"auditor" is a role of the site, which is not given in an organization; "nonsense" is not a role of this organization; ' +
              '"organization-auditor" is not yours to give or take',
          },
        ],
      },
    });
  });

  it('gives a custom role of the organization, and only what the giver holds', async () => {
    const user = await withRoles();
    const reader = await rows.role({ organizationId: organization.id, organizationPermissions: [READS_WORKSPACES], displayName: 'Reader' });
    const opener = await rows.role({ organizationId: organization.id, organizationPermissions: [ENTERS_WORKSPACES] });
    const foreign = await rows.role({ organizationId: (await rows.organization()).id });
    const give = (role: string, who = admin) => callAsUser(who.id).members.updateRoles({ ...inOrganization, user: user.id, roles: [role] });
    expect(await give(reader.name)).toMatchObject({ roles: [{ name: reader.name, display_name: 'Reader' }] });
    await expect(give(opener.name)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(give(foreign.name)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const owner = await rows.user({ siteRoles: ['owner'] });
    expect(await give(opener.name, owner)).toMatchObject({ roles: [{ name: opener.name }] });
    // The member may now enter every workspace here, which an administrator of the organization may not.
    await expect(give(reader.name)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('takes away what is stored and exists no longer', async () => {
    const user = await withRoles('long-gone');
    expect(await api.updateRoles({ ...inOrganization, user: user.id, roles: ['organization-auditor'] })).toMatchObject({
      roles: [{ name: 'organization-auditor' }],
    });
  });

  it('is left to the identity provider for those who sign in by one, while it decides the roles', async () => {
    const crew = await rows.organization();
    const user = await rows.user({ loginType: 'oidc', memberOf: [crew.id] });
    await prisma.idpSyncSetting.create({
      data: { id: newId(), kind: 'roles', organizationId: crew.id, settings: { field: 'roles', mapping: {} } },
    });
    const owner = callAsUser((await rows.user({ siteRoles: ['owner'] })).id).members;
    await expect(owner.updateRoles({ organization: crew.id, user: user.id, roles: [] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
