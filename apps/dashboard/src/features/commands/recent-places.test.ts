import { expect, it } from 'vitest';
import { placeOf, recentPaths, rememberPath, withRecent } from './recent-places.ts';

function memory(): Pick<Storage, 'getItem' | 'setItem'> {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}

it('remembers workspaces, templates, people and organizations, and no other page', () => {
  expect(placeOf('/@ada/api')).toEqual({ path: '/@ada/api', kind: 'Workspace', title: 'ada/api' });
  expect(placeOf('/templates/default/node%20web')).toMatchObject({ kind: 'Template', title: 'default/node web' });
  expect(placeOf('/people/users/ada')).toMatchObject({ kind: 'User', title: 'ada' });
  for (const path of ['/workspaces', '/templates/new', '/@ada/api/builds/3', '/people/users', '/']) expect(placeOf(path)).toBeNull();
});

it('has the latest first, each once, and only so many', () => {
  const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'c'].reduce<readonly string[]>((known, name) => withRecent(known, `/@ada/${name}`), []);
  expect(paths).toEqual(['c', 'g', 'f', 'e', 'd', 'b'].map((name) => `/@ada/${name}`));
});

it('is kept for each account by itself', () => {
  const store = memory();
  rememberPath(store, 'ada', '/@ada/api');
  rememberPath(store, 'ada', '/workspaces');
  expect(recentPaths(store, 'ada')).toEqual(['/@ada/api']);
  expect(recentPaths(store, 'ben')).toEqual([]);
});

it('survives a storage that holds something else, or is closed', () => {
  const store = memory();
  store.setItem('berth-recent:ada', '{"no":"list"}');
  expect(recentPaths(store, 'ada')).toEqual([]);
  store.setItem('berth-recent:ada', '["javascript:alert(1)", 7, "/@ada/api"]');
  expect(recentPaths(store, 'ada')).toEqual(['/@ada/api']);
  const closed = {
    getItem: () => {
      throw new Error('closed');
    },
    setItem: () => undefined,
  };
  expect(recentPaths(closed, 'ada')).toEqual([]);
});
