import { expect, test } from 'vitest';
import { compareFiles, comparisonOf, totalOf } from './compare-files.ts';

const file = (path: string, text: string, isExecutable = false) => ({
  path,
  bytes: new Uint8Array(new TextEncoder().encode(text)),
  ...(isExecutable ? { isExecutable } : {}),
});

const brief = (before: Parameters<typeof compareFiles>[0], after: Parameters<typeof compareFiles>[0]): string[] =>
  compareFiles(before, after).map(
    ({ kind, path, formerPath, added, removed }) =>
      `${kind} ${formerPath === undefined ? '' : `${formerPath} → `}${path} +${added} −${removed}`,
  );

test('two equal versions have no changes', () => {
  expect(compareFiles([file('a', 'x'), file('b', '')], [file('a', 'x'), file('b', '')])).toEqual([]);
});

test('each file was added, removed, changed, renamed or got another mode', () => {
  expect(
    brief(
      [file('berth.yaml', 'version: 1\nname: a\n'), file('gone', '1\n2\n'), file('old/name', 'same\n'), file('run', 'x\n')],
      [file('berth.yaml', 'version: 1\nname: b\n'), file('new', '1\n2\n3'), file('next/name', 'same\n'), file('run', 'x\n', true)],
    ),
  ).toEqual(['changed berth.yaml +1 −1', 'removed gone +0 −2', 'added new +3 −0', 'renamed old/name → next/name +0 −0', 'mode run +0 −0']);
});

test.each([
  ['a line in the middle', 'a\nb\nc\n', 'a\nB\nc\n', 1, 1],
  ['lines at the end', 'a\n', 'a\nb\nc\n', 2, 0],
  ['a line at the beginning', 'a\nb\n', 'b\n', 0, 1],
  ['the last line without an end', 'a\nb', 'a\nc', 1, 1],
  ['everything', 'a\nb\n', 'x\ny\nz\n', 3, 2],
  ['from nothing', '', 'x\ny\n', 2, 0],
])('of a changed text, %s is counted', (_, before, after, added, removed) => {
  expect(totalOf(compareFiles([file('f', before)], [file('f', after)]))).toEqual({ added, removed });
});

test('what is not text on one side is not compared as text', () => {
  const [change] = compareFiles([file('f', 'text')], [{ path: 'f', bytes: new Uint8Array([1, 0, 2]) }]);
  expect(change).toMatchObject({ kind: 'changed', added: 0, removed: 0 });
  expect(change === undefined ? undefined : comparisonOf(change)).toEqual({ kind: 'binary' });
});

test('an empty file is no other file under a new name', () => {
  expect(brief([file('a', '')], [file('b', '')])).toEqual(['removed a +0 −0', 'added b +0 −0']);
});
