import { newId } from '@berth/core';
import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser, keyOf, services } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const admin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-user-admin'] }] });
const api = callAsUser(admin.id).groups;
const join = () => rows.user({ memberOf: [organization.id] });
const found = (refusal: Promise<unknown>) => refusal.then(() => undefined).catch((error: unknown) => error);

describe('update', () => {
  it('takes members in and out by id and by user name, and records who they are', async () => {
    const [ada, bob, cyd] = [await join(), await join(), await join()];
    const group = await rows.group({ organizationId: organization.id, memberIds: [ada.id] });
    const changed = await api.update({
      group: group.id,
      add_users: [bob.id.toUpperCase(), cyd.username.toUpperCase()],
      remove_users: [ada.username],
    });
    expect(changed.members.map((member) => member.id).toSorted()).toEqual([bob.id, cyd.id].toSorted());
    expect(changed).toMatchObject({ total_member_count: 2, source: 'user', name: group.name });
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: group.id, action: 'write' } });
    expect(audit.diff).toMatchObject({ members: { old: [ada.id], new: [bob.id, cyd.id].toSorted() } });
  });

  it('changes what is given and keeps what is absent', async () => {
    const group = await rows.group({ organizationId: organization.id, displayName: 'Sailors', avatarUrl: '/a.svg', quotaAllowance: 3 });
    expect(await api.update({ group: group.id, quota_allowance: 7 })).toMatchObject({
      name: group.name,
      display_name: 'Sailors',
      avatar_url: '/a.svg',
      quota_allowance: 7,
    });
    const name = uniqueName('group');
    expect(await api.update({ group: group.id, name, display_name: '', avatar_url: '' })).toMatchObject({
      name,
      display_name: '',
      avatar_url: '',
    });
    expect(await api.update({ group: group.id, name })).toMatchObject({ name });
  });

  it('says all that is wrong at once, by field, and changes nothing', async () => {
    const [inside, free] = [await join(), await join()];
    const outsider = await rows.user();
    const gone = await rows.user({ memberOf: [organization.id], deleted: true });
    const group = await rows.group({ organizationId: organization.id, memberIds: [inside.id] });
    const refusal = await found(
      api.update({
        group: group.id,
        name: 'two words',
        add_users: [inside.id, outsider.username, 'nobody-at-all', newId(), gone.id, free.id, free.username],
        remove_users: [free.id, outsider.id],
      }),
    );
    expect(refusal).toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field: 'name' }, { field: 'add_users' }, { field: 'remove_users' }] },
    });
    const [, added, removed] = (refusal as { cause: { validations: { detail: string }[] } }).cause.validations;
    expect(added?.detail.split('; ')).toEqual([
      `"${inside.id}" is in the group already`,
      `"${outsider.username}" is not a member of the organization`,
      '"nobody-at-all" is not a member of the organization',
      expect.stringMatching(/is not a member of the organization$/),
      `"${gone.id}" is not a member of the organization`,
      `"${free.username}" is named twice`,
    ]);
    expect(removed?.detail).toBe(`"${free.id}" is not in the group; "${outsider.id}" is not in the group`);
    expect(await prisma.groupMember.findMany({ where: { groupId: group.id } })).toMatchObject([{ userId: inside.id }]);
  });

  it('refuses a quota below zero', async () => {
    const group = await rows.group({ organizationId: organization.id });
    await expect(api.update({ group: group.id, quota_allowance: -1 })).rejects.toMatchObject({
      cause: { issues: [{ path: ['quota_allowance'] }] },
    });
  });

  it('of a name that is taken is a conflict that names the field', async () => {
    const [group, other] = [await rows.group({ organizationId: organization.id }), await rows.group({ organizationId: organization.id })];
    await expect(api.update({ group: group.id, name: other.name })).rejects.toMatchObject({
      code: 'CONFLICT',
      cause: { validations: [{ field: 'name' }] },
    });
  });

  it('leaves Everyone its name and its members, and takes a quota and a picture', async () => {
    const somebody = await join();
    const everyone = { group: organization.id };
    for (const change of [{ name: 'all' }, { display_name: 'All' }]) {
      await expect(api.update({ ...everyone, ...change })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    for (const change of [{ add_users: [somebody.id] }, { remove_users: [somebody.id] }]) {
      await expect(api.update({ ...everyone, ...change })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await api.update({ ...everyone, name: 'Everyone', quota_allowance: 5, avatar_url: '/all.svg' })).toMatchObject({
      quota_allowance: 5,
      avatar_url: '/all.svg',
    });
  });

  it('by two callers of the same member takes them in once', async () => {
    const somebody = await join();
    const group = await rows.group({ organizationId: organization.id });
    const both = await Promise.allSettled([1, 2].map(() => api.update({ group: group.id, add_users: [somebody.id] })));
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: 'BAD_REQUEST' } });
  });

  it('never leaves somebody in a group of an organization that they leave at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const somebody = await join();
      const group = await rows.group({ organizationId: organization.id });
      await Promise.allSettled([
        api.update({ group: group.id, add_users: [somebody.id] }),
        callAsUser(admin.id).members.remove({ organization: organization.id, user: somebody.id }),
      ]);
      expect(await prisma.groupMember.count({ where: { userId: somebody.id } })).toBe(0);
    }
  });

  it('holds for the next request of those who come and go, whatever was kept of them', async () => {
    const somebody = await join();
    const group = await rows.group({ organizationId: organization.id });
    const key = await keyOf(somebody.id);
    const groupsOf = async () => {
      const principal = await services.authenticator.byToken(key, '');
      return principal?.kind === 'user' ? principal.subject.groups : undefined;
    };
    expect(await groupsOf()).toEqual([]);
    await api.update({ group: group.id, add_users: [somebody.id] });
    expect(await groupsOf()).toEqual([group.id]);
    await api.delete({ group: group.id });
    expect(await groupsOf()).toEqual([]);
  });
});

describe('delete', () => {
  it('answers the group as it was, and leaves nothing of it', async () => {
    const somebody = await join();
    const group = await rows.group({ organizationId: organization.id, memberIds: [somebody.id] });
    expect(await api.delete({ group: group.id })).toMatchObject({ id: group.id, members: [{ id: somebody.id }], total_member_count: 1 });
    await expect(api.get({ group: group.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: group.id, action: 'delete' } });
    expect(audit.diff).toMatchObject({ members: { old: [somebody.id], new: [] } });
  });

  it('of Everyone is refused', async () => {
    await expect(api.delete({ group: organization.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
