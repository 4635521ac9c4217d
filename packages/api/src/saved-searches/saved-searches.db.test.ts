import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { SAVED_SEARCHES_MAX } from './contract.ts';

const { prisma, callAsUser } = await createTestApi();
const make = given(prisma);

describe('the saved searches of a user', () => {
  test('are kept by name for each list, changed and deleted, and each change is recorded', async () => {
    const user = await make.user();
    const { savedSearches } = callAsUser(user.id);
    const failed = await savedSearches.create({ user: 'me', page: 'workspaces', name: 'Failed', address: 'q=status%3Afailed' });
    expect(failed).toMatchObject({ user_id: user.id, page: 'workspaces', name: 'Failed', address: 'q=status%3Afailed' });
    await savedSearches.create({ user: 'me', page: 'workspaces', name: 'All of them', address: '' });
    const sameName = await savedSearches.create({ user: 'me', page: 'audit', name: 'Failed', address: 'q=action%3Adelete' });
    const inOrder = await savedSearches.list({ user: user.username, page: 'workspaces' });
    expect(inOrder.map(({ name }) => name)).toEqual(['All of them', 'Failed']);
    await expect(savedSearches.list({ user: 'me' })).resolves.toHaveLength(3);

    const path = { user: 'me', savedsearch: failed.id };
    await expect(savedSearches.update({ ...path, name: 'Broken' })).resolves.toEqual({ ...failed, name: 'Broken' });
    await savedSearches.update({ ...path, name: 'Broken' });
    await savedSearches.delete(path);
    await expect(savedSearches.delete(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(savedSearches.list({ user: 'me', page: 'audit' })).resolves.toEqual([sameName]);

    const rows = await prisma.auditLog.findMany({ where: { resourceId: failed.id }, orderBy: { time: 'asc' } });
    expect(rows).toMatchObject([
      { resourceType: 'saved_search', action: 'create', resourceTarget: 'Failed', diff: { name: { new: 'Failed' } } },
      { resourceType: 'saved_search', action: 'write', resourceTarget: 'Broken', diff: { name: { old: 'Failed', new: 'Broken' } } },
      { resourceType: 'saved_search', action: 'delete', resourceTarget: 'Broken', diff: { address: { old: 'q=status%3Afailed' } } },
    ]);
  });

  test('have names of their own within a list', async () => {
    const user = await make.user();
    const { savedSearches } = callAsUser(user.id);
    const taken = { code: 'CONFLICT', cause: { validations: [{ field: 'name' }] } };
    const first = { user: 'me', page: 'workspaces', name: 'Mine', address: 'q=owner%3Ame' } as const;
    await savedSearches.create(first);
    await expect(savedSearches.create(first)).rejects.toMatchObject(taken);
    const other = await savedSearches.create({ ...first, name: 'Other' });
    await expect(savedSearches.update({ user: 'me', savedsearch: other.id, name: 'Mine' })).rejects.toMatchObject(taken);
    for (const wrong of [{ name: '' }, { name: ' ' }, { name: 'x'.repeat(65) }, { address: '?q=x' }, { address: 'x'.repeat(2001) }]) {
      const field = Object.keys(wrong)[0];
      await expect(savedSearches.create({ ...first, name: 'New', ...wrong })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        cause: { issues: [{ path: [field] }] },
      });
    }
  });

  test('are at most so many for each list, and saves at the same time do not pass the bound', async () => {
    const user = await make.user();
    const { savedSearches } = callAsUser(user.id);
    await prisma.savedSearch.createMany({
      data: Array.from({ length: SAVED_SEARCHES_MAX - 1 }, (_, index) => ({
        id: newId(),
        userId: user.id,
        page: 'workspaces',
        name: `Search ${index}`,
        address: '',
      })),
    });
    const saves = ['a', 'b', 'c', 'd'].map((name) => savedSearches.create({ user: 'me', page: 'workspaces', name, address: '' }));
    const outcomes = await Promise.allSettled(saves);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(savedSearches.list({ user: 'me', page: 'workspaces' })).resolves.toHaveLength(SAVED_SEARCHES_MAX);
    await expect(savedSearches.create({ user: 'me', page: 'workspaces', name: 'e', address: '' })).rejects.toThrow('At most 50 searches');
    await expect(savedSearches.create({ user: 'me', page: 'audit', name: 'e', address: '' })).resolves.toMatchObject({ page: 'audit' });
  });

  test('are nobody else’s, whoever names them', async () => {
    const [user, other] = await Promise.all([make.user(), make.user()]);
    const own = await callAsUser(user.id).savedSearches.create({ user: 'me', page: 'audit', name: 'Mine', address: '' });
    const { savedSearches } = callAsUser(other.id);
    const notFound = { code: 'NOT_FOUND' };
    await expect(savedSearches.list({ user: user.id })).rejects.toMatchObject(notFound);
    await expect(savedSearches.create({ user: user.id, page: 'audit', name: 'x', address: '' })).rejects.toMatchObject(notFound);
    await expect(savedSearches.update({ user: 'me', savedsearch: own.id, name: 'Yours' })).rejects.toMatchObject(notFound);
    await expect(savedSearches.delete({ user: 'me', savedsearch: own.id })).rejects.toMatchObject(notFound);
    await expect(callAsUser(user.id).savedSearches.list({ user: 'me' })).resolves.toEqual([own]);
  });
});
