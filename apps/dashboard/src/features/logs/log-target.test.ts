import { expect, test } from 'vitest';
import { shownLine } from './log-lines.ts';
import type { LogTarget } from './log-target.ts';
import { fragmentOf, lineOf, targetOf } from './log-target.ts';

const lines = (['info', 'error', 'error'] as const).map((level, index) =>
  shownLine({ id: 40 + index, at: '2026-01-01T00:00:00Z', level, stage: index === 0 ? 'plan' : 'set up & go', output: '' }),
);

test.each<[LogTarget, string, number | null]>([
  [{ kind: 'line', number: 2 }, 'L2', 2],
  [{ kind: 'line', number: 4 }, 'L4', null],
  [{ kind: 'stage', stage: 'set up & go' }, 'stage-set%20up%20%26%20go', 2],
  [{ kind: 'stage', stage: 'none' }, 'stage-none', null],
  [{ kind: 'error' }, 'error', 2],
])('%j is %s in an address, and line %s of a log', (target, fragment, number) => {
  expect(fragmentOf(target)).toBe(fragment);
  expect(targetOf(`#${fragment}`)).toEqual(target);
  expect(lineOf(target, lines)).toBe(number);
});

test('what names no place names none', () => {
  for (const fragment of ['', '#', '#L0', '#L', '#L1x', '#L123456789', '#elsewhere']) expect(targetOf(fragment)).toBeNull();
  expect(targetOf('#stage-%E0%A4')).toEqual({ kind: 'stage', stage: '%E0%A4' });
});
