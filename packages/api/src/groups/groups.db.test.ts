import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const admin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-user-admin'] }] });
const api = callAsUser(admin.id).groups;

describe('create', () => {
  it('answers the group, and records it with its fields', async () => {
    const group = await api.create({
      organization: organization.name,
      name: 'sailors',
      display_name: 'Sailors',
      avatar_url: '/anchor.svg',
      quota_allowance: 7,
    });
    expect(group).toEqual({
      id: expect.any(String),
      name: 'sailors',
      display_name: 'Sailors',
      avatar_url: '/anchor.svg',
      quota_allowance: 7,
      members: [],
      total_member_count: 0,
      organization_id: organization.id,
      organization_name: organization.name,
      organization_display_name: organization.displayName,
      source: 'user',
    });
    expect(await api.get({ group: group.id })).toEqual(group);
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: group.id } });
    expect(audit).toMatchObject({
      action: 'create',
      resourceTarget: 'sailors',
      organizationId: organization.id,
      userId: admin.id,
      statusCode: 201,
    });
    expect(audit.diff).toMatchObject({
      name: { old: '', new: 'sailors', secret: false },
      quota_allowance: { old: 0, new: 7, secret: false },
    });
  });

  it.each([
    ['', 'name'],
    ['new', 'name'],
    ['two words', 'name'],
    ['-dash', 'name'],
    ['Everyone', 'name'],
    ['eVeryone', 'name'],
    ['x'.repeat(256), 'name'],
  ])('refuses the name "%s"', async (name, field) => {
    await expect(api.create({ organization: organization.id, name })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { issues: [{ path: [field] }] },
    });
  });

  it('names every broken field at once', async () => {
    const refusal = await api
      .create({ organization: organization.id, name: '!', display_name: ' x', quota_allowance: -1, avatar_url: 'x'.repeat(3000) })
      .catch((error: unknown) => error);
    const fields = (refusal as { cause: { issues: { path: string[] }[] } }).cause.issues.map((issue) => issue.path.join('.'));
    expect(fields.toSorted()).toEqual(['avatar_url', 'display_name', 'name', 'quota_allowance']);
  });

  it('of one name by two callers at once makes one group and one conflict that names the field', async () => {
    const both = await Promise.allSettled([1, 2].map(() => api.create({ organization: organization.id, name: 'twice' })));
    expect(both.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((result) => result.status === 'rejected')).toMatchObject({
      reason: { code: 'CONFLICT', cause: { validations: [{ field: 'name' }] } },
    });
    await expect(api.create({ organization: organization.id, name: 'Twice' })).resolves.toMatchObject({ name: 'Twice' });
    await expect(api.create({ organization: (await rows.organization()).id, name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is forbidden to members, and the attempt is recorded', async () => {
    const member = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(member.id).groups.create({ organization: organization.id, name: 'mutiny' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await prisma.group.count({ where: { name: 'mutiny' } })).toBe(0);
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceTarget: 'mutiny' } });
    expect(audit).toMatchObject({ statusCode: 403, diff: {}, userId: member.id });
  });
});

describe('members', () => {
  it('are those that the caller may read, while the total counts all that live', async () => {
    const [here, there, gone] = [await rows.user(), await rows.user(), await rows.user({ deleted: true })];
    const crew = await rows.organization();
    for (const user of [here, there, gone]) await prisma.organizationMember.create({ data: { organizationId: crew.id, userId: user.id } });
    const group = await rows.group({ organizationId: crew.id, memberIds: [here.id, there.id, gone.id] });
    const auditor = await rows.user({ siteRoles: ['auditor'] });

    const full = await callAsUser(auditor.id).groups.get({ group: group.id });
    expect(full.members.map((member) => member.id).toSorted()).toEqual([here.id, there.id].toSorted());
    expect(full.total_member_count).toBe(2);
    expect(full.members[0]).not.toHaveProperty('roles');

    const own = await callAsUser(here.id).groups.get({ group: group.id });
    expect(own.members.map((member) => member.id)).toEqual([here.id]);
    expect(own.total_member_count).toBe(2);
  });

  it('of Everyone are the members of the organization', async () => {
    const crew = await rows.organization();
    const [ada, bob] = [await rows.user({ memberOf: [crew.id] }), await rows.user({ memberOf: [crew.id] })];
    await rows.user({ memberOf: [crew.id], deleted: true });
    const auditor = await rows.user({ siteRoles: ['auditor'] });
    const everyone = await callAsUser(auditor.id).groups.get({ group: crew.id });
    expect(everyone).toMatchObject({ name: 'Everyone', id: crew.id, organization_id: crew.id, total_member_count: 2 });
    expect(everyone.members.map((member) => member.id).toSorted()).toEqual([ada.id, bob.id].toSorted());
    expect(await callAsUser(ada.id).groups.getByName({ organization: crew.id, groupName: 'Everyone' })).toMatchObject({
      members: [{ id: ada.id }],
      total_member_count: 2,
    });
  });
});

describe('reading', () => {
  it('shows a member Everyone and their own groups, and hides the others as if they were absent', async () => {
    const crew = await rows.organization();
    const member = await rows.user({ memberOf: [crew.id] });
    const own = await rows.group({ organizationId: crew.id, memberIds: [member.id] });
    const other = await rows.group({ organizationId: crew.id });
    const call = callAsUser(member.id).groups;
    expect((await call.list({})).map((group) => group.id).toSorted()).toEqual([crew.id, own.id].toSorted());
    await expect(call.listByOrganization({ organization: `no-${crew.name}` })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await call.listByOrganization({ organization: crew.name })).map((group) => group.id).toSorted()).toEqual(
      [crew.id, own.id].toSorted(),
    );
    const refusals = [
      call.get({ group: other.id }),
      call.get({ group: newId() }),
      call.getByName({ organization: crew.id, groupName: other.name }),
      call.getByName({ organization: crew.id, groupName: own.name.toUpperCase() }),
      call.getByName({ organization: organization.id, groupName: own.name }),
    ];
    for (const result of await Promise.allSettled(refusals)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
    }
  });

  it('narrows by organization, member and ids', async () => {
    const crew = await rows.organization();
    const member = await rows.user({ memberOf: [crew.id] });
    const [first, second] = [
      await rows.group({ organizationId: crew.id, memberIds: [member.id] }),
      await rows.group({ organizationId: crew.id }),
    ];
    const owner = callAsUser((await rows.user({ siteRoles: ['owner'] })).id).groups;
    const ids = async (input: Parameters<typeof owner.list>[0]) => (await owner.list(input)).map((group) => group.id).toSorted();
    expect(await ids({ organization: crew.name })).toEqual([crew.id, first.id, second.id].toSorted());
    expect(await ids({ has_member: member.username })).toEqual([crew.id, first.id].toSorted());
    expect(await ids({ has_member: member.id, group_ids: [first.id, second.id] })).toEqual([first.id]);
    expect(await ids({ group_ids: `${first.id},${second.id}` })).toEqual([first.id, second.id].toSorted());
    expect(await ids({ group_ids: [] })).toEqual([]);
    await expect(owner.list({ has_member: 'nobody-at-all' })).rejects.toMatchObject({ cause: { validations: [{ field: 'has_member' }] } });
    await expect(owner.list({ organization: 'nowhere' })).rejects.toMatchObject({ cause: { validations: [{ field: 'organization' }] } });
    await expect(owner.list({ member: 'x' } as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('lets those who administer users anywhere see groups of organizations they are not in', async () => {
    const crew = await rows.organization();
    const userAdmin = await rows.user({ siteRoles: ['user-admin'] });
    expect(await callAsUser(userAdmin.id).groups.listByOrganization({ organization: crew.id })).toMatchObject([{ id: crew.id }]);
  });
});
