import { describe, expect, test } from 'vitest';
import type { Draft, Outcome } from './draft.ts';
import { addFile, addFolder, changedPaths, draftOf, filesOf, pathProblem, putFiles, remove, rename, setText } from './draft.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const BASE = draftOf([
  { path: 'README.md', bytes: bytes('# Hello\n') },
  { path: 'berth.yaml', bytes: bytes('version: 1\n') },
  { path: 'logo.png', bytes: new Uint8Array([1, 0, 2]) },
  { path: 'scripts/install.sh', bytes: bytes('#!/bin/sh\n'), isExecutable: true },
]);

function after(outcome: Outcome): Draft {
  if (!outcome.ok) throw new Error(outcome.problem);
  return outcome.draft;
}
const paths = ({ files }: Draft): string[] => files.map(({ path }) => path);
const problemOf = (outcome: Outcome): string => (outcome.ok ? '' : outcome.problem);

test('what is not changed is packed byte for byte, and what is typed as UTF-8', () => {
  const files = filesOf(setText(BASE, 'README.md', 'größer'));
  expect(files.find(({ path }) => path === 'README.md')?.bytes).toEqual(bytes('größer'));
  expect(files.find(({ path }) => path === 'logo.png')?.bytes).toEqual(new Uint8Array([1, 0, 2]));
  expect(files.find(({ path }) => path === 'scripts/install.sh')).toEqual({
    path: 'scripts/install.sh',
    bytes: bytes('#!/bin/sh\n'),
    isExecutable: true,
  });
});

describe('a path', () => {
  test.each(['', '/etc', '../up', 'a//b', 'a/./b', 'c:x', 'a\\b', ' a', 'berth.yaml', 'scripts', 'berth.yaml/inner', 'x'.repeat(256)])(
    '"%s" is refused with a reason',
    (path) => {
      expect(pathProblem(BASE, path)).not.toBe('');
    },
  );

  test.each(['new.txt', 'scripts/other.sh', 'deep/er/file', '.gitignore'])('%s is free', (path) => {
    expect(pathProblem(BASE, path)).toBe('');
  });
});

test('a file can be put into a folder that was just made, which is then no longer an empty one', () => {
  const made = after(addFolder(BASE, 'lib'));
  expect(made.folders).toEqual(['lib']);
  const filled = after(addFile(made, { path: 'lib/a.sh', bytes: bytes(''), text: '' }));
  expect(filled.folders).toEqual([]);
  expect(paths(filled)).toContain('lib/a.sh');
});

test('a file keeps its content and mode under another name', () => {
  const renamed = after(rename(BASE, 'scripts/install.sh', 'bin/setup'));
  expect(renamed.files.find(({ path }) => path === 'bin/setup')).toMatchObject({ text: '#!/bin/sh\n', isExecutable: true });
  expect(paths(renamed)).not.toContain('scripts/install.sh');
});

test('a folder is renamed with all that is in it, but not into itself, and not onto another', () => {
  expect(paths(after(rename(BASE, 'scripts', 'bin')))).toContain('bin/install.sh');
  expect(problemOf(rename(BASE, 'scripts', 'scripts/inner'))).toMatch(/into itself/);
  expect(problemOf(rename(BASE, 'scripts', 'README.md'))).toMatch(/there already/);
});

test('a folder goes with all that is in it, and nothing else', () => {
  const draft = after(addFile(BASE, { path: 'scripts.md', bytes: bytes(''), text: '' }));
  expect(paths(remove(draft, 'scripts'))).toEqual(['README.md', 'berth.yaml', 'logo.png', 'scripts.md']);
});

test('uploaded files replace those of the same name and stay out of files', () => {
  const draft = after(
    putFiles(BASE, 'scripts', [
      { path: 'install.sh', bytes: bytes('new') },
      { path: 'b', bytes: new Uint8Array([0]) },
    ]),
  );
  expect(draft.files.find(({ path }) => path === 'scripts/install.sh')?.text).toBe('new');
  expect(draft.files.find(({ path }) => path === 'scripts/b')?.text).toBeUndefined();
  expect(problemOf(putFiles(BASE, 'berth.yaml', [{ path: 'x', bytes: bytes('') }]))).toMatch(/is a file/);
});

test('what differs is named: changed, new and gone', () => {
  const draft = remove(setText(after(addFile(BASE, { path: 'new', bytes: bytes(''), text: '' })), 'README.md', 'x'), 'logo.png');
  expect(changedPaths(BASE, draft)).toEqual(new Set(['README.md', 'new', 'logo.png']));
  expect(changedPaths(BASE, setText(draft, 'README.md', '# Hello\n'))).toEqual(new Set(['new', 'logo.png']));
  expect(changedPaths(BASE, BASE)).toEqual(new Set());
});
