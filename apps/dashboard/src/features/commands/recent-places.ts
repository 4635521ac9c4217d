/** What was opened lately in this browser: workspaces, templates, people. Kept per account, since a browser may be shared. */

export interface RecentPlace {
  readonly path: string;
  readonly title: string;
  readonly kind: 'Workspace' | 'Template' | 'User' | 'Organization';
}

const RECENT_MAX = 6;
const TEXT_MAX = 20_000;

const KINDS: readonly (readonly [RecentPlace['kind'], RegExp])[] = [
  ['Workspace', /^\/@([^/]+)\/([^/]+)$/],
  ['Template', /^\/templates\/([^/]+)\/([^/]+)$/],
  ['User', /^\/people\/users\/([^/]+)$/],
  ['Organization', /^\/people\/organizations\/([^/]+)$/],
];

/** A path as a place worth remembering, or null. */
export function placeOf(path: string): RecentPlace | null {
  for (const [kind, pattern] of KINDS) {
    const parts = pattern.exec(path)?.slice(1);
    if (parts !== undefined) return { path, kind, title: parts.map(readable).join('/') };
  }
  return null;
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** With `path` as the latest one; unchanged if it is no place worth remembering. */
export function withRecent(paths: readonly string[], path: string): readonly string[] {
  if (placeOf(path) === null) return paths;
  return [path, ...paths.filter((known) => known !== path)].slice(0, RECENT_MAX);
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (userId: string): string => `berth-recent:${userId}`;

export function recentPaths(store: Store, userId: string): readonly string[] {
  try {
    const text = store.getItem(keyOf(userId));
    if (text === null || text.length > TEXT_MAX) return [];
    const known: unknown = JSON.parse(text);
    return Array.isArray(known) ? known.filter((path) => typeof path === 'string' && placeOf(path) !== null).slice(0, RECENT_MAX) : [];
  } catch {
    // Closed to us, or written by something else: then nothing is recent.
    return [];
  }
}

export function rememberPath(store: Store, userId: string, path: string): void {
  const known = recentPaths(store, userId);
  const next = withRecent(known, path);
  if (next === known) return;
  try {
    store.setItem(keyOf(userId), JSON.stringify(next));
  } catch {
    // A full or closed storage: it is a convenience.
  }
}
