import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const make = given(prisma);

let template: Awaited<ReturnType<typeof make.template>>['template'];
let version: Awaited<ReturnType<typeof make.template>>['version'];
let organizationId: string;
let adminId: string;
let memberId: string;

/** A template that nobody may use but by name or group. */
beforeEach(async () => {
  const organization = await make.organization();
  organizationId = organization.id;
  adminId = (await make.user({ memberOf: [{ organizationId, roles: ['organization-template-admin'] }] })).id;
  memberId = (await make.user({ memberOf: [organizationId] })).id;
  ({ template, version } = await make.template({ organization, groupAcl: {}, status: 'pending' }));
});

const admin = () => callAsUser(adminId);
const member = () => callAsUser(memberId);
const see = (userId: string) => callAsUser(userId).templates.get({ template: template.id });
const grant = (perms: { user_perms?: Record<string, 'use' | 'admin' | ''>; group_perms?: Record<string, 'use' | 'admin' | ''> }) =>
  admin().templates.updateAcl({ template: template.id, ...perms });

describe('the role', () => {
  test('use lets a user see the template and not change it, and its end takes that away', async () => {
    await expect(see(memberId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await grant({ user_perms: { [memberId]: 'use' } });
    await expect(see(memberId)).resolves.toMatchObject({ id: template.id });
    await expect(member().templates.acl({ template: template.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(member().templates.updateAcl({ template: template.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await grant({ user_perms: { [memberId]: '' } });
    await expect(see(memberId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('use of a group reaches its members, and of Everyone all members of the organization', async () => {
    const group = await make.group({ organizationId, memberIds: [memberId] });
    const other = (await make.user({ memberOf: [organizationId] })).id;
    await grant({ group_perms: { [group.id]: 'use' } });
    await expect(see(memberId)).resolves.toMatchObject({ id: template.id });
    await expect(see(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await grant({ group_perms: { [group.id]: '', [organizationId]: 'use' } });
    await expect(see(other)).resolves.toMatchObject({ id: template.id });
  });

  test('admin lets a plain member give access on', async () => {
    await grant({ user_perms: { [memberId]: 'admin' } });
    const other = (await make.user({ memberOf: [organizationId] })).id;
    await member().templates.updateAcl({ template: template.id, user_perms: { [other]: 'admin' } });
    const users = await member().templates.aclUsers({ template: template.id });
    expect(users.map(({ id, role }) => `${id} ${role}`).toSorted()).toEqual([`${memberId} admin`, `${other} admin`].toSorted());
  });

  test('admin cannot be given by somebody who may not do everything themselves', async () => {
    const rules = [
      { negate: false, resource_type: 'template', action: 'read' },
      { negate: false, resource_type: 'template', action: 'update' },
    ] as const;
    const owner = (await make.user({ siteRoles: ['owner'] })).id;
    await callAsUser(owner).roles.createOrganization({
      organization: organizationId,
      name: 'editor',
      organization_permissions: [...rules],
      site_permissions: [],
      user_permissions: [],
    });
    await prisma.organizationMember.update({
      where: { organizationId_userId: { organizationId, userId: memberId } },
      data: { roles: ['editor'] },
    });
    const attempt = (role: 'use' | 'admin') => member().templates.updateAcl({ template: template.id, user_perms: { [memberId]: role } });
    await expect(attempt('admin')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(attempt('use')).resolves.toMatchObject({ detail: '' });
  });
});

describe('the lists', () => {
  test('show who was given access, with their roles, and nobody who is gone', async () => {
    const group = await make.group({ organizationId, memberIds: [memberId] });
    const gone = (await make.user({ memberOf: [organizationId] })).id;
    await grant({ user_perms: { [memberId]: 'use', [gone]: 'use' }, group_perms: { [group.id]: 'admin' } });
    await prisma.user.update({ where: { id: gone }, data: { deleted: true } });
    const acl = await admin().templates.acl({ template: template.id });
    expect(acl.users).toMatchObject([{ id: memberId, role: 'use', organization_ids: [organizationId] }]);
    expect(acl.group).toMatchObject([{ id: group.id, role: 'admin', total_member_count: 1 }]);
    expect(await admin().templates.aclUsers({ template: template.id })).toEqual(acl.users);
    await expect(grant({ user_perms: { [gone]: '' } })).resolves.toMatchObject({ detail: '' });
  });

  test('offer members and groups of the organization, and no strangers to those who may not read them', async () => {
    const stranger = await make.user();
    await make.group({ organizationId: (await make.organization()).id });
    await grant({ user_perms: { [memberId]: 'admin' } });
    const [offered] = await member().templates.aclAvailable({ template: template.id });
    expect(offered?.users.map(({ id }) => id).toSorted()).toEqual([adminId, memberId, template.createdById].toSorted());
    expect(offered?.groups.map(({ id }) => id)).toEqual([organizationId]);
    const owner = (await make.user({ siteRoles: ['owner'] })).id;
    const [all] = await callAsUser(owner).templates.aclAvailable({ template: template.id, q: stranger.username.toUpperCase() });
    expect(all?.users).toMatchObject([{ id: stranger.id }]);
    expect(all?.groups).toEqual([]);
  });
});

describe('a change', () => {
  test('is recorded with both lists before and after', async () => {
    await grant({ user_perms: { [memberId]: 'use' }, group_perms: { [organizationId]: 'admin' } });
    expect(await prisma.auditLog.findMany({ where: { organizationId, resourceType: 'template' } })).toMatchObject([
      {
        action: 'write',
        resourceId: template.id,
        userId: adminId,
        diff: {
          user_acl: { old: {}, new: { [memberId]: ['read'] } },
          group_acl: { old: {}, new: { [organizationId]: ['*'] } },
        },
      },
    ]);
  });

  test('that names anybody who is not there changes nothing, and says each', async () => {
    const [nobody, foreign] = [newId(), (await make.group({ organizationId: (await make.organization()).id })).id];
    const attempt = grant({ user_perms: { [memberId]: 'use', [nobody]: 'use', nonsense: 'use' }, group_perms: { [foreign]: 'use' } });
    await expect(attempt).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: {
        validations: [{ field: 'user_perms.nonsense' }, { field: `user_perms.${nobody}` }, { field: `group_perms.${foreign}` }],
      },
    });
    expect((await prisma.template.findUniqueOrThrow({ where: { id: template.id } })).userAcl).toEqual({});
  });

  test('keeps what another change gave at the same time', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(async () => (await make.user({ memberOf: [organizationId] })).id));
    await Promise.all(others.map((id) => grant({ user_perms: { [id]: 'use' } })));
    const { users } = await admin().templates.acl({ template: template.id });
    expect(users.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
  });

  test('that takes access away ends what is open on the template', async () => {
    await grant({ user_perms: { [memberId]: 'use' } });
    const lines = await member().templateVersions.followLogs({ templateversion: version.id });
    const end = lines[Symbol.asyncIterator]().next();
    await grant({ user_perms: { [memberId]: '' } });
    await expect(end).resolves.toMatchObject({ done: true });
  });
});
