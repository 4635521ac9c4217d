import { newId } from '@berth/core';
import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';

const { prisma, services, callAs, callAsUser, keyOf } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const owner = await rows.user({ siteRoles: ['owner'] });
const admin = await rows.user({ siteRoles: ['user-admin'] });
const newMember = () => rows.user({ memberOf: [organization.id] });

/** A custom role of the site that grants these permissions. */
async function siteRole(...permissions: [resource_type: string, action: string][]): Promise<string> {
  const name = uniqueName('role');
  const sitePermissions = permissions.map(([resource_type, action]) => ({ negate: false, resource_type, action }));
  await prisma.customRole.create({ data: { id: newId(), name, displayName: `The ${name}`, sitePermissions } });
  return name;
}

describe('site roles', () => {
  it('are replaced as a whole, count at once, and are recorded', async () => {
    const user = await newMember();
    const key = await keyOf(user.id);
    expect(await services.authenticator.byToken(key, '')).toMatchObject({ subject: { roles: [] } });
    const first = await callAsUser(owner.id).users.updateRoles({ user: user.id, roles: ['auditor', 'member', 'auditor'] });
    expect(first.roles).toEqual([{ name: 'auditor', display_name: 'Auditor', organization_id: '' }]);
    expect(await services.authenticator.byToken(key, '')).toMatchObject({ subject: { roles: ['auditor'] } });
    await callAsUser(owner.id).users.updateRoles({ user: user.id, roles: ['template-admin'] });
    expect(await services.authenticator.byToken(key, '')).toMatchObject({ subject: { roles: ['template-admin'] } });
    const audited = await prisma.auditLog.findMany({ where: { resourceId: user.id }, orderBy: { time: 'asc' } });
    expect(audited.map(({ diff }) => diff)).toEqual([
      { rbac_roles: { old: [], new: ['auditor'], secret: false } },
      { rbac_roles: { old: ['auditor'], new: ['template-admin'], secret: false } },
    ]);
    expect((await callAsUser(owner.id).users.updateRoles({ user: user.id })).roles).toHaveLength(1);
    expect((await callAsUser(owner.id).users.updateRoles({ user: user.id, roles: [] })).roles).toEqual([]);
  });

  it('of oneself are changed by nobody', async () => {
    await expect(callAsUser(owner.id).users.updateRoles({ user: 'me', roles: ['owner'] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it.each([
    ['does not exist', 'emperor'],
    ['belongs to organizations', 'organization-admin'],
  ])('take no role that %s', async (_, role) => {
    const user = await newMember();
    await expect(callAsUser(owner.id).users.updateRoles({ user: user.id, roles: ['auditor', role] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field: 'roles', detail: expect.stringContaining(role) }] },
    });
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ siteRoles: [] });
  });

  it('beyond what the table lets a user administrator give are refused with the reason', async () => {
    const user = await newMember();
    for (const role of ['owner', 'auditor', 'template-admin', 'user-admin', await siteRole(['user', 'read'])]) {
      await expect(callAsUser(admin.id).users.updateRoles({ user: user.id, roles: [role] }), role).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        cause: { validations: [{ field: 'roles' }] },
      });
    }
  });

  it('are not changed without the permission: 403 to who may read the user, 404 to who may not', async () => {
    const [user, member, auditor] = [await newMember(), await newMember(), await rows.user({ siteRoles: ['auditor'] })];
    const attempt = (id: string) => callAsUser(id).users.updateRoles({ user: user.id, roles: ['auditor'] });
    await expect(attempt(auditor.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(attempt(member.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of somebody with more rights than one’s own are out of reach', async () => {
    const strong = await rows.user({ siteRoles: ['auditor'] });
    await expect(callAsUser(admin.id).users.updateRoles({ user: strong.id, roles: [] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of the last owner stay, also when two owners take each other’s at once', async () => {
    await prisma.user.updateMany({ where: { siteRoles: { has: 'owner' }, id: { not: owner.id } }, data: { siteRoles: [] } });
    const second = await rows.user({ siteRoles: ['owner'] });
    await Promise.allSettled([
      callAsUser(owner.id).users.updateRoles({ user: second.id, roles: [] }),
      callAsUser(second.id).users.updateRoles({ user: owner.id, roles: [] }),
    ]);
    expect(await prisma.user.count({ where: { siteRoles: { has: 'owner' }, deleted: false } })).toBe(1);
    await prisma.user.update({ where: { id: owner.id }, data: { siteRoles: ['owner'] } });
  });
});

describe('a custom role of the site', () => {
  it('is given and taken by owners, and grants what it says', async () => {
    const user = await newMember();
    const role = await siteRole(['audit_log', 'read']);
    expect((await callAsUser(owner.id).users.updateRoles({ user: user.id, roles: [role] })).roles).toEqual([
      { name: role, display_name: `The ${role}`, organization_id: '' },
    ]);
    await expect(callAsUser(user.id).audit.list({ limit: 1 })).resolves.toMatchObject({ count: expect.any(Number) });
    expect(await userPrincipal(prisma, user.id)).toMatchObject({ subject: { customSiteRoles: [{ name: role }] } });
    expect((await callAsUser(owner.id).users.updateRoles({ user: user.id, roles: [] })).roles).toEqual([]);
  });

  it('that grants more than its giver may do with this key is refused', async () => {
    const user = await newMember();
    const [wide, narrow] = [await siteRole(['template', 'delete']), await siteRole(['template', 'read'])];
    const principal = await userPrincipal(prisma, owner.id);
    if (principal.kind !== 'user') throw new Error('not a user');
    const rule = (resourceType: 'user' | 'assign_role' | 'template', action: string) => ({ negate: false, resourceType, action });
    const scope = {
      name: 'limited',
      permissions: [rule('user', 'read'), rule('assign_role', 'assign'), rule('template', 'read')],
      onlyIds: null,
    };
    const caller = callAs({ ...principal, subject: { ...principal.subject, scope } });
    await expect(caller.users.updateRoles({ user: user.id, roles: [wide] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(caller.users.updateRoles({ user: user.id, roles: [narrow] })).resolves.toMatchObject({ roles: [{ name: narrow }] });
  });

  it('that is gone can be taken from who still has it', async () => {
    const user = await rows.user({ siteRoles: ['long-gone'] });
    expect((await callAsUser(owner.id).users.updateRoles({ user: user.id, roles: [] })).roles).toEqual([]);
  });
});

describe('reading roles', () => {
  it('shows those of the site and of each organization', async () => {
    const user = await rows.user({
      siteRoles: ['auditor'],
      memberOf: [{ organizationId: organization.id, roles: ['organization-auditor'] }],
    });
    const expected = {
      id: user.id,
      roles: [{ name: 'auditor', display_name: 'Auditor', organization_id: '' }],
      organization_roles: { [organization.id]: ['organization-auditor'] },
    };
    expect(await callAsUser(user.id).users.roles({ user: 'me' })).toMatchObject(expected);
    expect(await callAsUser(admin.id).users.roles({ user: user.username })).toMatchObject(expected);
  });

  it('is for oneself and administrators of users', async () => {
    const [user, auditor] = [await newMember(), await rows.user({ siteRoles: ['auditor'] })];
    await expect(callAsUser(auditor.id).users.roles({ user: user.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
