import { NIL_UUID, newId } from '@berth/core';
import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { OidcProvider } from '../sign-on/settings.ts';
import { createTestApi } from '../testing/index.ts';

const provider = OidcProvider.parse({
  type: 'oidc',
  issuer_url: 'https://id.example.com',
  client_id: 'berth',
  site_roles_claim: 'site',
  site_roles_mapping: { operators: ['template-admin'] },
});
const { prisma, callAsUser } = await createTestApi({ signOn: { password_enabled: true, terms_of_service_url: '', providers: [provider] } });
const rows = given(prisma);
const owner = await rows.user({ siteRoles: ['owner'] });
const asOwner = callAsUser(owner.id).idpSync;

const fieldOf = (field: string) => ({ code: 'BAD_REQUEST', cause: { validations: [{ field }] } });

describe('the settings', () => {
  it('are off at first, change by the fields that are given, and each change is recorded with before and after', async () => {
    const { id: organization } = await rows.organization();
    const group = await rows.group({ organizationId: organization });
    expect(await asOwner.groups({ organization })).toEqual({
      field: '',
      mapping: {},
      regex_filter: null,
      auto_create_missing_groups: false,
      legacy_group_name_mapping: {},
    });
    await asOwner.updateGroups({ organization, field: 'groups', mapping: { a: [group.id] } });
    const after = await asOwner.updateGroups({ organization, regex_filter: '^a', auto_create_missing_groups: true });
    expect(after).toEqual({
      field: 'groups',
      mapping: { a: [group.id] },
      regex_filter: '^a',
      auto_create_missing_groups: true,
      legacy_group_name_mapping: {},
    });
    expect(await asOwner.groups({ organization })).toEqual(after);
    expect(await asOwner.updateGroups({ organization, regex_filter: null })).toMatchObject({ regex_filter: null, field: 'groups' });
    const audit = await prisma.auditLog.findMany({
      where: { resourceId: organization, resourceType: 'idp_sync_settings' },
      orderBy: { time: 'asc' },
    });
    expect(audit.length).toBe(3);
    expect(audit[0]).toMatchObject({
      action: 'write',
      statusCode: 200,
      userId: owner.id,
      organizationId: organization,
      resourceTarget: 'groups',
    });
    expect(JSON.stringify(audit[0]?.diff)).toContain('"groups"');
  });

  it('of the site and of roles are kept too', async () => {
    const { id: organization } = await rows.organization();
    await asOwner.updateOrganization({ field: 'orgs', mapping: { a: [organization] }, organization_assign_default: false });
    expect(await asOwner.organization({})).toEqual({ field: 'orgs', mapping: { a: [organization] }, organization_assign_default: false });
    await prisma.customRole.create({ data: { id: newId(), organizationId: organization, name: 'pilot' } });
    const roles = { field: 'roles', mapping: { b: ['pilot', 'organization-auditor'] } };
    expect(await asOwner.updateRoles({ organization, ...roles })).toEqual(roles);
    expect(await asOwner.roles({ organization })).toEqual(roles);
    expect(await asOwner.updateOrganization({ field: '' })).toMatchObject({ field: '', mapping: { a: [organization] } });
  });

  it('name the value whose target does not exist', async () => {
    const { id: organization } = await rows.organization();
    const elsewhere = await rows.group({ organizationId: (await rows.organization()).id });
    await expect(asOwner.updateOrganization({ mapping: { a: [newId()] } })).rejects.toMatchObject(fieldOf('mapping.a'));
    for (const id of [newId(), elsewhere.id, organization]) {
      await expect(asOwner.updateGroups({ organization, mapping: { x: [id] } })).rejects.toMatchObject(fieldOf('mapping.x'));
    }
    for (const role of ['nothing', 'owner', 'organization-member']) {
      await expect(asOwner.updateRoles({ organization, mapping: { y: [role] } })).rejects.toMatchObject(fieldOf('mapping.y'));
    }
  });

  it('refuse a pattern that cannot be read, and renames, which are read only', async () => {
    const { id: organization } = await rows.organization();
    for (const regex_filter of ['(', '[a', '(?=a)', '\\1']) {
      await expect(asOwner.updateGroups({ organization, regex_filter })).rejects.toMatchObject(fieldOf('regex_filter'));
    }
    await expect(asOwner.updateGroups({ organization, legacy_group_name_mapping: { a: 'b' } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(asOwner.updateGroups({ organization, legacy_group_name_mapping: {} })).resolves.toMatchObject({ field: '' });
  });
});

describe('nobody lets claims give what they could not give', () => {
  it('neither roles by a mapping nor by switching the sync on', async () => {
    const { id: organization } = await rows.organization();
    const userAdmin = callAsUser(
      (await rows.user({ memberOf: [{ organizationId: organization, roles: ['organization-user-admin'] }] })).id,
    );
    const siteUserAdmin = callAsUser((await rows.user({ siteRoles: ['user-admin'] })).id);
    const admin = callAsUser((await rows.user({ memberOf: [{ organizationId: organization, roles: ['organization-admin'] }] })).id);
    for (const caller of [userAdmin, siteUserAdmin]) {
      await expect(caller.idpSync.updateRoles({ organization, field: 'nickname' })).rejects.toMatchObject(fieldOf('field'));
      await expect(caller.idpSync.updateRoles({ organization, field: 'x', mapping: { a: ['organization-admin'] } })).rejects.toMatchObject(
        fieldOf('field'),
      );
    }
    await expect(
      admin.idpSync.updateRoles({ organization, field: 'roles', mapping: { a: ['organization-admin'] } }),
    ).resolves.toMatchObject({ field: 'roles' });
    const beyond = { negate: false, resource_type: 'license', action: 'create' };
    await prisma.customRole.create({ data: { id: newId(), organizationId: organization, name: 'wide', sitePermissions: [beyond] } });
    await expect(admin.idpSync.updateRoles({ organization, field: 'other' })).rejects.toMatchObject(fieldOf('field'));
    await expect(userAdmin.idpSync.updateRoles({ organization, mapping: {} })).rejects.toMatchObject(fieldOf('field'));
    await expect(userAdmin.idpSync.updateRoles({ organization, field: '' })).resolves.toMatchObject({ field: '' });
  });

  it('nor groups and memberships that they may not change', async () => {
    const { id: organization } = await rows.organization();
    const name = uniqueName('role');
    const permission = (action: string) => ({ negate: false, resource_type: 'idpsync_settings', action });
    await prisma.customRole.create({
      data: { id: newId(), organizationId: organization, name, organizationPermissions: [permission('read'), permission('update')] },
    });
    const caller = callAsUser((await rows.user({ memberOf: [{ organizationId: organization, roles: [name] }] })).id).idpSync;
    await expect(caller.updateGroups({ organization, field: 'groups' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(caller.updateGroups({ organization, mapping: {} })).resolves.toMatchObject({ field: '' });
    await expect(caller.updateOrganization({ field: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(caller.groups({ organization })).resolves.toMatchObject({ field: '' });
  });
});

describe('the fields of claims', () => {
  it('are those of the last sign-ins, of the site or of the members of one organization', async () => {
    const { id: organization } = await rows.organization();
    const [member, other] = [await rows.user({ memberOf: [organization] }), await rows.user()];
    const identity = (userId: string, mergedClaims: object) =>
      prisma.userIdentity.create({
        data: { id: newId(), userId, providerId: 'oidc', kind: 'oidc', issuer: 'https://id.example.com', subject: newId(), mergedClaims },
      });
    await identity(member.id, { sub: '1', realm_access: { roles: ['a'] } });
    await identity(other.id, { elsewhere: true });
    expect(await asOwner.organizationFields({ organization })).toEqual(['realm_access', 'realm_access.roles', 'sub']);
    expect(await asOwner.availableFields({})).toEqual(expect.arrayContaining(['elsewhere', 'realm_access.roles', 'sub']));
  });
});

describe('a dry run', () => {
  it('says what claims would give and why, with settings that are not stored, and changes nothing', async () => {
    const organization = await rows.organization();
    const group = await rows.group({ organizationId: organization.id });
    const user = await rows.user({ memberOf: [organization.id] });
    const rowsBefore = await prisma.auditLog.count();
    const result = await asOwner.dryRun({
      claims: { orgs: ['crew'], groups: ['sea', 'riggers', 'x9'], roles: 'organization-auditor', site: ['operators', 'nothing'] },
      user: user.username,
      settings: {
        organization: { field: 'orgs', mapping: { crew: [organization.id] }, organization_assign_default: false },
        groups: {
          [organization.id]: { field: 'groups', mapping: { sea: [group.id] }, regex_filter: '^[a-z]+$', auto_create_missing_groups: true },
        },
        roles: { [organization.id]: { field: 'roles' } },
      },
    });
    expect(result).toMatchObject({
      user_id: user.id,
      provider: 'oidc',
      claims_from: null,
      organizations: { status: 'applied', field: 'orgs', items: [{ id: organization.id, name: organization.name, change: 'keep' }] },
      groups: [
        {
          organization_id: organization.id,
          organization_name: organization.name,
          status: 'applied',
          items: [
            { id: group.id, name: group.name, change: 'add' },
            { id: null, name: 'riggers', change: 'create' },
          ],
        },
      ],
      organization_roles: [
        { status: 'applied', items: [{ name: 'organization-auditor', display_name: 'Organization Auditor', change: 'add' }] },
      ],
      site_roles: { status: 'applied', field: 'site', items: [{ name: 'template-admin', display_name: 'Template Admin', change: 'add' }] },
    });
    expect(result.trace).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'organization', value: 'crew', outcome: 'given', rule: 'mapping', target_name: organization.name }),
        expect.objectContaining({
          kind: 'group',
          value: 'sea',
          outcome: 'given',
          rule: 'mapping',
          target: group.id,
          target_name: group.name,
        }),
        expect.objectContaining({ kind: 'group', value: 'riggers', outcome: 'given', rule: 'create', target: 'riggers' }),
        expect.objectContaining({ kind: 'group', value: 'x9', outcome: 'dropped', rule: 'regex' }),
        expect.objectContaining({ kind: 'organization_role', value: 'organization-auditor', outcome: 'given', rule: 'name' }),
        expect.objectContaining({ kind: 'site_role', value: 'nothing', outcome: 'dropped', rule: 'name' }),
      ]),
    );
    expect(await prisma.group.count({ where: { name: 'riggers' } })).toBe(0);
    expect(await prisma.auditLog.count()).toBe(rowsBefore);
    expect((await asOwner.roles({ organization: organization.id })).field).toBe('');
  });

  it('takes the claims of the last sign-in of a user, from those who may read them', async () => {
    const user = await rows.user();
    await prisma.userIdentity.create({
      data: {
        id: newId(),
        userId: user.id,
        providerId: 'oidc',
        kind: 'oidc',
        issuer: 'https://id.example.com',
        subject: newId(),
        mergedClaims: { site: ['operators'] },
      },
    });
    const result = await asOwner.dryRun({ user: user.id });
    expect(result).toMatchObject({ claims_from: expect.any(String), site_roles: { items: [{ name: 'template-admin', change: 'add' }] } });
    await expect(asOwner.dryRun({})).rejects.toMatchObject(fieldOf('claims'));
    await expect(asOwner.dryRun({ user: owner.id })).rejects.toMatchObject(fieldOf('user'));
    await expect(asOwner.dryRun({ user: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(asOwner.dryRun({ claims: {}, provider: 'nobody' })).rejects.toMatchObject(fieldOf('provider'));
    await expect(asOwner.dryRun({ claims: {}, settings: { groups: { [NIL_UUID]: { regex_filter: '(' } } } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('about one organization shows its administrators nothing of the site', async () => {
    const organization = await rows.organization();
    const admin = callAsUser(
      (await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] })).id,
    ).idpSync;
    const claims = { groups: ['a'], site: ['operators'] };
    await expect(admin.dryRun({ claims })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.dryRun({ claims, organization: (await rows.organization()).id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const result = await admin.dryRun({
      claims,
      organization: organization.name,
      settings: { groups: { [organization.id]: { field: 'groups', auto_create_missing_groups: true } } },
    });
    expect(result.groups).toMatchObject([{ organization_id: organization.id, items: [{ name: 'a', change: 'create' }] }]);
    expect([result.organizations.items, result.site_roles.items]).toEqual([[], []]);
    expect(result.trace.every((line) => line.organization_id === organization.id)).toBe(true);
  });
});
