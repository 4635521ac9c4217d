import { z } from 'zod';
import type { Draft, DraftFile } from './draft.ts';
import { changedPaths } from './draft.ts';

/** What a device keeps of unfinished work: the difference to the version that it began with. */
const KeptDraft = z.object({
  saved_at: z.number(),
  files: z.array(
    z.object({
      path: z.string(),
      text: z.string().optional(),
      base64: z.string().optional(),
      is_executable: z.boolean().optional(),
      link: z.string().optional(),
    }),
  ),
  removed: z.array(z.string()),
  folders: z.array(z.string()),
});
type KeptDraft = z.output<typeof KeptDraft>;

/** Of one draft, as text. A browser gives a site about five million characters for everything. */
export const KEPT_CHARACTERS_MAX = 1_000_000;
const KEPT_DRAFTS_MAX = 4;
const PREFIX = 'berth-draft:';

/** The part of the browser's storage that is used here. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Whose draft of which version. Someone else on the same device is not shown it. */
export interface DraftKey {
  readonly userId: string;
  readonly versionId: string;
}

const nameOf = ({ userId, versionId }: DraftKey): string => `${PREFIX}${userId}:${versionId}`;

/** Keeps what differs from `base`, the latest four drafts. False when it is too much, or the device has no room. */
export function keepDraft(store: Store, key: DraftKey, { base, draft, now }: { base: Draft; draft: Draft; now: number }): boolean {
  const changed = changedPaths(base, draft);
  const kept: KeptDraft = {
    saved_at: now,
    files: draft.files.filter(({ path }) => changed.has(path)).map(toKept),
    removed: base.files.map(({ path }) => path).filter((path) => !draft.files.some((file) => file.path === path)),
    folders: [...draft.folders],
  };
  const text = JSON.stringify(kept);
  try {
    if (text.length > KEPT_CHARACTERS_MAX) {
      store.removeItem(nameOf(key));
      return false;
    }
    forgetOldest(store, nameOf(key));
    store.setItem(nameOf(key), text);
    return true;
  } catch {
    return false;
  }
}

/** The draft that the device kept, put onto the files that it began with. Undefined when there is none that can be read. */
export function keptDraft(store: Store, key: DraftKey, base: Draft): { readonly draft: Draft; readonly savedAt: number } | undefined {
  const kept = read(store, nameOf(key));
  if (kept === undefined || (kept.files.length === 0 && kept.removed.length === 0)) return undefined;
  const replaced = new Set([...kept.removed, ...kept.files.map(({ path }) => path)]);
  const files = [...base.files.filter(({ path }) => !replaced.has(path)), ...kept.files.map(fromKept)];
  return {
    draft: { files: files.sort((one, other) => (one.path < other.path ? -1 : 1)), folders: kept.folders },
    savedAt: kept.saved_at,
  };
}

export function forgetDraft(store: Store, key: DraftKey): void {
  try {
    store.removeItem(nameOf(key));
  } catch {
    // Without storage there is nothing to forget.
  }
}

function forgetOldest(store: Store, except: string): void {
  const names = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '').filter(
    (name) => name.startsWith(PREFIX) && name !== except,
  );
  const byAge = names.map((name) => ({ name, at: read(store, name)?.saved_at ?? 0 })).sort((one, other) => other.at - one.at);
  for (const { name } of byAge.slice(KEPT_DRAFTS_MAX - 1)) store.removeItem(name);
}

function read(store: Store, name: string): KeptDraft | undefined {
  try {
    const text = store.getItem(name);
    return text === null ? undefined : KeptDraft.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toKept({ path, text, bytes, isExecutable, link }: DraftFile): KeptDraft['files'][number] {
  return {
    path,
    ...(text === undefined ? { base64: base64Of(bytes) } : { text }),
    ...(isExecutable === true ? { is_executable: true } : {}),
    ...(link === undefined ? {} : { link }),
  };
}

function fromKept({ path, text, base64, is_executable: isExecutable, link }: KeptDraft['files'][number]): DraftFile {
  return {
    path,
    bytes: base64 === undefined ? new Uint8Array() : bytesOf(base64),
    ...(text === undefined ? {} : { text }),
    ...(isExecutable === true ? { isExecutable } : {}),
    ...(link === undefined ? {} : { link }),
  };
}

function base64Of(bytes: Uint8Array): string {
  // Too much to be kept anyway; a string of it would only take time.
  if (bytes.length > KEPT_CHARACTERS_MAX) return 'A'.repeat(KEPT_CHARACTERS_MAX + 4);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
