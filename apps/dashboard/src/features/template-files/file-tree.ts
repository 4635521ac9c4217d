export interface TreeFile {
  readonly kind: 'file';
  readonly name: string;
  readonly path: string;
}

export interface TreeFolder {
  readonly kind: 'folder';
  readonly name: string;
  readonly path: string;
  readonly children: readonly TreeNode[];
}

export type TreeNode = TreeFile | TreeFolder;

/** Paths as a tree: folders first, each by name. `folders` are those that may be empty. */
export function treeOf(paths: readonly string[], folders: readonly string[] = []): TreeNode[] {
  interface Level {
    readonly folders: Map<string, Level>;
    readonly files: string[];
  }
  const root: Level = { folders: new Map(), files: [] };
  const levelOf = (parts: readonly string[]): Level => {
    let level = root;
    for (const part of parts) {
      const next = level.folders.get(part) ?? { folders: new Map<string, Level>(), files: [] };
      level.folders.set(part, next);
      level = next;
    }
    return level;
  };
  for (const folder of folders) levelOf(folder.split('/'));
  for (const path of paths) {
    const parts = path.split('/');
    levelOf(parts.slice(0, -1)).files.push(parts.at(-1) ?? '');
  }
  const nodesOf = (level: Level, prefix: string): TreeNode[] => [
    ...[...level.folders]
      .sort(([one], [other]) => byName(one, other))
      .map(([name, inner]) => ({ kind: 'folder' as const, name, path: prefix + name, children: nodesOf(inner, `${prefix}${name}/`) })),
    ...level.files.sort(byName).map((name) => ({ kind: 'file' as const, name, path: prefix + name })),
  ];
  return nodesOf(root, '');
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** The folders that `path` is in, outermost first. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The file to open first: what the template is described in, else its README, else the first. */
export function firstFile(paths: readonly string[]): string | undefined {
  const wanted = [/^berth\.yaml$/, /^main\.tf$/, /^[^/]+\.tf(?:\.json)?$/, /^README\.md$/i];
  for (const pattern of wanted) {
    const found = paths.find((path) => pattern.test(path));
    if (found !== undefined) return found;
  }
  return paths[0];
}
