import { expect, test } from 'vitest';
import type { TreeNode } from './file-tree.ts';
import { firstFile, foldersOf, treeOf } from './file-tree.ts';

const shown = (nodes: readonly TreeNode[], indent = ''): string[] =>
  nodes.flatMap((node) => [
    `${indent}${node.name}${node.kind === 'folder' ? '/' : ''}`,
    ...(node.kind === 'folder' ? shown(node.children, `${indent}  `) : []),
  ]);

test('a tree has folders first, then files, each by name with numbers in their order', () => {
  expect(shown(treeOf(['z.md', 'scripts/step10.sh', 'scripts/step9.sh', 'a.md', 'scripts/lib/x.sh']))).toEqual([
    'scripts/',
    '  lib/',
    '    x.sh',
    '  step9.sh',
    '  step10.sh',
    'a.md',
    'z.md',
  ]);
});

test('a folder without files is there, too', () => {
  expect(shown(treeOf(['a'], ['new/inner']))).toEqual(['new/', '  inner/', 'a']);
});

test('every node knows its whole path, and a path its folders', () => {
  const [folder] = treeOf(['a/b/c']);
  expect(folder).toMatchObject({ path: 'a', children: [{ path: 'a/b', children: [{ path: 'a/b/c' }] }] });
  expect(foldersOf('a/b/c')).toEqual(['a', 'a/b']);
});

test('what describes the template is opened first', () => {
  expect(firstFile(['README.md', 'berth.yaml', 'z'])).toBe('berth.yaml');
  expect(firstFile(['README.md', 'lib/berth.yaml', 'network.tf'])).toBe('network.tf');
  expect(firstFile(['x/y', 'readme.md'])).toBe('readme.md');
  expect(firstFile(['x/y'])).toBe('x/y');
  expect(firstFile([])).toBeUndefined();
});
