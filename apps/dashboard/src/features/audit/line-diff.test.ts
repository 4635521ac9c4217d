import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiffLine } from './line-diff.ts';
import { diffLines } from './line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 12 });
const side = (diff: readonly DiffLine[], name: 'before' | 'after'): string[] => diff.flatMap((line) => line[name] ?? []);

test('each side is the text as it was, and what is called the same is the same', () => {
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      // Texts that are equal have no change to show lines around.
      fc.pre(a.join() !== b.join());
      const diff = diffLines(a.join('\n'), b.join('\n'), { context: 100 });
      expect(side(diff, 'before').join('\n')).toBe(a.join('\n'));
      expect(side(diff, 'after').join('\n')).toBe(b.join('\n'));
      for (const { kind, before, after } of diff) {
        expect(kind === 'same').toBe(before === after);
        expect(kind === 'added').toBe(before === null);
        expect(kind === 'removed').toBe(after === null);
      }
    }),
  );
});

test('an inserted line moves nothing else', () => {
  expect(diffLines('one\ntwo', 'one\nnew\ntwo').map(({ kind }) => kind)).toEqual(['same', 'added', 'same']);
});

test('far from a change lines are skipped, and counted', () => {
  const text = Array.from({ length: 30 }, (_, line) => `line ${line}`);
  const diff = diffLines(text.join('\n'), text.with(15, 'changed').join('\n'), { context: 2 });
  expect(diff.map(({ kind }) => kind)).toEqual(['skipped', 'same', 'same', 'changed', 'same', 'same', 'skipped']);
  expect(diff[0]?.before).toBe('13');
  expect(diffLines(text.join('\n'), text.join('\n'))).toEqual([{ kind: 'skipped', before: '30', after: '30' }]);
});

test('texts that are too long to compare are shown all the same', () => {
  const long = (word: string): string => Array.from({ length: 2_000 }, (_, line) => `${word} ${line}`).join('\n');
  expect(diffLines(long('a'), long('b'))).toHaveLength(2_000);
});
