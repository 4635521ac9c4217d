import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from './testing/index.ts';
import { meanwhile } from './testing/meanwhile.ts';

/** Changes of roles, groups and organizations that meet half way. */
const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const owner = await rows.user({ siteRoles: ['owner'] });

const refused = (code: string) => ({ status: 'rejected', reason: expect.objectContaining({ code }) });

describe('roles', () => {
  it('that another change gave meanwhile are taken by the rules for them: the last owner stays', async () => {
    const other = await createTestApi();
    const people = given(other.prisma);
    const last = await people.user({ siteRoles: ['owner'] });
    const user = await people.user({ siteRoles: ['auditor'] });
    const taken = await meanwhile(other.prisma, user.id, {
      work: () => other.callAsUser(last.id).users.updateRoles({ user: user.id, roles: [] }),
      change: async (db) => {
        await db.user.update({ where: { id: user.id }, data: { siteRoles: ['auditor', 'owner'] } });
        await db.user.update({ where: { id: last.id }, data: { siteRoles: [] } });
      },
    });
    expect(taken).toMatchObject(refused('CONFLICT'));
    expect(await other.prisma.user.count({ where: { siteRoles: { has: 'owner' } } })).toBe(1);
  });

  it('of the site that are deleted while they are given are nobody’s afterwards', async () => {
    const role = await rows.role();
    const user = await rows.user();
    const outcomes = await Promise.allSettled([
      callAsUser(owner.id).users.updateRoles({ user: user.id, roles: [role.name] }),
      callAsUser(owner.id).roles.deleteSite({ roleName: role.name }),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome).toMatchObject(refused('BAD_REQUEST'));
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ siteRoles: [] });
  });

  it('of owners are never all taken away, whichever ways are tried at the same time', async () => {
    const other = await createTestApi();
    const people = given(other.prisma);
    for (let round = 0; round < 4; round++) {
      await other.prisma.user.updateMany({ data: { siteRoles: [] } });
      const owners = await Promise.all(Array.from({ length: 3 }, () => people.user({ siteRoles: ['owner'] })));
      const [first, second, third] = owners.map(({ id }) => id);
      if (first === undefined || second === undefined || third === undefined) throw new Error('no owners');
      const scim = other.callAs({ kind: 'scim' }).scim;
      const ways = await Promise.allSettled([
        other.callAsUser(first).users.updateRoles({ user: second, roles: [] }),
        other.callAsUser(second).users.updateRoles({ user: third, roles: [] }),
        other.callAsUser(third).users.delete({ user: first }),
        ...owners.map(({ id }) => scim.patchUser({ id, resource: { active: false } })),
      ]);
      for (const way of ways) {
        if (way.status === 'rejected') expect(['CONFLICT', 'FORBIDDEN', 'NOT_FOUND', 'BAD_REQUEST']).toContain(way.reason.code);
      }
      const left = await other.prisma.user.count({
        where: { siteRoles: { has: 'owner' }, deleted: false, status: { not: 'suspended' } },
      });
      expect(left).toBeGreaterThan(0);
    }
  });
});

describe('two mutations that lock each other out', () => {
  it('are both done: the one that the database ended begins anew, with one audit row', async () => {
    const user = await rows.user({ memberOf: [organization.id] });
    const group = await rows.group({ organizationId: organization.id });
    const outcome = await meanwhile(prisma, user.id, {
      work: () => callAsUser(owner.id).groups.update({ group: group.id, add_users: [user.id] }),
      change: (db) => db.group.update({ where: { id: group.id }, data: { displayName: 'Changed' } }),
    });
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { display_name: 'Changed', members: [{ id: user.id }] } });
    expect(await prisma.auditLog.count({ where: { resourceId: group.id } })).toBe(1);
  });
});

describe('an organization that is deleted', () => {
  it('takes nothing that was being made in it, and whoever made it finds no organization', async () => {
    for (const make of [
      (id: string): Promise<unknown> => callAsUser(owner.id).groups.create({ organization: id, name: 'late' }),
      (id: string) => callAsUser(owner.id).roles.createOrganization({ organization: id, name: 'late' }),
      (id: string) => callAsUser(owner.id).members.add({ organization: id, user: owner.id }),
      (id: string) =>
        callAsUser(owner.id).users.create({
          username: `u${newId().slice(0, 8)}`,
          email: `${newId()}@example.com`,
          login_type: 'none',
          organization_ids: [id],
        }),
    ]) {
      const doomed = await rows.organization();
      const [made, deleted] = await Promise.allSettled([
        make(doomed.id),
        callAsUser(owner.id).organizations.delete({ organization: doomed.id }),
      ]);
      for (const outcome of [made, deleted]) {
        if (outcome.status === 'rejected') expect(['NOT_FOUND', 'CONFLICT', 'BAD_REQUEST']).toContain(outcome.reason.code);
      }
    }
  });
});
