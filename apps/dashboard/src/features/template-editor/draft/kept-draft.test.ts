import { expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { draftOf, filesOf, remove, setText } from './draft.ts';
import type { Store } from './kept-draft.ts';
import { KEPT_CHARACTERS_MAX, forgetDraft, keepDraft, keptDraft } from './kept-draft.ts';

function memory(): Store & { readonly names: () => string[] } {
  const items = new Map<string, string>();
  return {
    names: () => [...items.keys()],
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const BASE = draftOf([
  { path: 'a.sh', bytes: bytes('a'), isExecutable: true },
  { path: 'berth.yaml', bytes: bytes('version: 1') },
  { path: 'gone', bytes: bytes('x') },
]);
const KEY = { userId: 'ada', versionId: 'v1' };
const EDITED: Draft = {
  files: [...remove(setText(BASE, 'a.sh', 'größer'), 'gone').files, { path: 'logo', bytes: new Uint8Array([0, 255, 7]) }],
  folders: ['empty'],
};

test('a draft comes back as it was: texts, modes, bytes, what was removed, and empty folders', () => {
  const store = memory();
  expect(keepDraft(store, KEY, { base: BASE, draft: EDITED, now: 5 })).toBe(true);
  const kept = keptDraft(store, KEY, BASE);
  expect(kept?.savedAt).toBe(5);
  expect(kept?.draft.folders).toEqual(['empty']);
  expect(filesOf(kept?.draft ?? BASE)).toEqual(filesOf(EDITED));
});

test('nobody else is shown it, and no other version', () => {
  const store = memory();
  keepDraft(store, KEY, { base: BASE, draft: EDITED, now: 5 });
  expect(keptDraft(store, { ...KEY, userId: 'eve' }, BASE)).toBeUndefined();
  expect(keptDraft(store, { ...KEY, versionId: 'v2' }, BASE)).toBeUndefined();
});

test('what is too much is not kept, and an older state is not offered instead', () => {
  const store = memory();
  keepDraft(store, KEY, { base: BASE, draft: EDITED, now: 5 });
  const large = setText(BASE, 'a.sh', 'x'.repeat(KEPT_CHARACTERS_MAX));
  expect(keepDraft(store, KEY, { base: BASE, draft: large, now: 6 })).toBe(false);
  expect(keptDraft(store, KEY, BASE)).toBeUndefined();
});

test('of many drafts the oldest are forgotten, and nothing that is not a draft', () => {
  const store = memory();
  store.setItem('other', 'x');
  for (const now of [1, 2, 3, 4, 5, 6]) keepDraft(store, { ...KEY, versionId: `v${now}` }, { base: BASE, draft: EDITED, now });
  expect(store.names()).toEqual(['other', ...[3, 4, 5, 6].map((now) => `berth-draft:ada:v${now}`)]);
});

test('a device without room, or with something else in its place, has no draft', () => {
  const store = memory();
  store.setItem('berth-draft:ada:v1', '{"nonsense":true}');
  expect(keptDraft(store, KEY, BASE)).toBeUndefined();
  const full: Store = {
    ...memory(),
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(keepDraft(full, KEY, { base: BASE, draft: EDITED, now: 1 })).toBe(false);
});

test('a draft that was published is forgotten', () => {
  const store = memory();
  keepDraft(store, KEY, { base: BASE, draft: EDITED, now: 5 });
  forgetDraft(store, KEY);
  expect(keptDraft(store, KEY, BASE)).toBeUndefined();
});
