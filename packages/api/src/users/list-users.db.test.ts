import { newId } from '@berth/core';
import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const owner = await rows.user({ username: 'zz-owner', siteRoles: ['owner'], lastSeenAt: null });
const list = (input: object = {}) => callAsUser(owner.id).users.list(input);
const found = async (q: string) => (await list({ q })).users.map(({ username }) => username);

const [ada, bob, cyd] = [
  await rows.user({ username: 'Ada', email: 'ada@north.example.com', name: 'Ada Lovelace', lastSeenAt: new Date('2026-01-01T00:00:00Z') }),
  await rows.user({
    username: 'bob',
    email: 'bob@south.example.com',
    status: 'suspended',
    siteRoles: ['auditor'],
    lastSeenAt: new Date('2026-02-01T00:00:00Z'),
  }),
  await rows.user({ username: 'Cyd', email: 'c_d@south.example.com', status: 'dormant', siteRoles: ['Night-Watch'], lastSeenAt: null }),
];
await rows.user({ username: 'deleted', email: 'gone@south.example.com', deleted: true });

describe('the list of users', () => {
  it('is in the order of names whatever their case, without the deleted', async () => {
    expect(await list()).toMatchObject({ count: 4, users: [ada, bob, cyd, owner].map(({ id }) => ({ id })) });
  });

  it('takes the same few statements for any number of people', async () => {
    // The caller, the page, the people with their organizations, and the names of custom roles.
    for (const limit of [3, 100]) expect(await countStatements(() => list({ limit }))).toBe(5);
  });

  it('is paged by offset and by cursor, and counts the whole match', async () => {
    expect(await list({ limit: 1, offset: 1 })).toMatchObject({ count: 4, users: [{ id: bob.id }] });
    expect(await list({ limit: 2, after_id: ada.id })).toMatchObject({ count: 4, users: [{ id: bob.id }, { id: cyd.id }] });
    expect(await list({ after_id: ada.id, q: 'south' })).toMatchObject({ count: 2, users: [{ id: bob.id }, { id: cyd.id }] });
    expect(await list({ limit: 1, offset: 9 })).toEqual({ count: 4, users: [] });
    expect((await list({ after_id: newId() })).users).toEqual([]);
  });

  it('goes on after a user who was deleted meanwhile', async () => {
    const gone = await rows.user({ username: uniqueName('bbb') });
    const before = await list({ after_id: gone.id });
    await prisma.user.update({ where: { id: gone.id }, data: { deleted: true } });
    expect((await list({ after_id: gone.id })).users).toEqual(before.users);
  });

  it('tells nobody where in it somebody stands whom they may not read', async () => {
    for (const { id } of [ada, owner]) {
      expect((await callAsUser(cyd.id).users.list({ after_id: id })).users).toEqual([]);
    }
  });

  it.each([
    ['limit', { limit: '-1' }],
    ['limit', { limit: '1001' }],
    ['limit', { limit: 'x' }],
    ['offset', { offset: '-1' }],
    ['after_id', { after_id: 'ada' }],
    ['q', { q: 'x'.repeat(1001) }],
  ])('refuses a bad %s: %o', async (field, input) => {
    await expect(list(input)).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { issues: [{ path: [field] }] } });
  });
});

describe('searching users', () => {
  it.each([
    ['ADA', ['Ada']],
    ['search:south.example', ['bob', 'Cyd']],
    ['lovelace', ['Ada']],
    ['"ada love"', ['Ada']],
    ['c_d', ['Cyd']],
    ['%', []],
    ['status:active', ['Ada', 'zz-owner']],
    ['status:Suspended,dormant', ['bob', 'Cyd']],
    ['status:suspended status:dormant', ['bob', 'Cyd']],
    ['role:auditor,owner', ['bob', 'zz-owner']],
    ['role:night-watch', ['Cyd']],
    ['role:member', ['Ada', 'bob', 'Cyd', 'zz-owner']],
    ['role:nobody-has-this', []],
    ['last_seen_after:"2026-02-01T00:00:00Z"', ['bob']],
    ['last_seen_before:"2026-01-01T01:00:00+01:00"', ['Ada']],
    ['last_seen_after:"2026-01-01T00:00:00.000Z" last_seen_before:"2026-02-01T00:00:00Z"', ['Ada', 'bob']],
    ['south status:dormant role:night-watch', ['Cyd']],
  ])('%s', async (q, usernames) => {
    expect(await found(q)).toEqual(usernames);
  });

  it.each([
    ['two words', 'search'],
    ['search:a search:b', 'search'],
    ['status:asleep', 'status'],
    ['status:', 'q'],
    [':active', 'q'],
    ['a:b:c', 'q'],
    ['colour:blue', 'colour'],
    ['role:,', 'role'],
    ['last_seen_after:yesterday', 'last_seen_after'],
    ['last_seen_before:"2026-02-30T00:00:00Z"', 'last_seen_before'],
  ])('refuses %s, naming %s', async (q, field) => {
    await expect(list({ q })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [expect.objectContaining({ field })] },
    });
  });
});
