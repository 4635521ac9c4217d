import { expect, test } from 'vitest';
import type { ShownLine } from './log-lines.ts';
import { groupByStage, plainText } from './log-lines.ts';

const line = (id: number, stage: string, level: ShownLine['level'] = 'info'): ShownLine => ({
  id,
  stage,
  level,
  at: `2026-01-01T00:00:0${id}.000Z`,
  text: `line ${id}`,
});

test('lines stand under their stage, in the order in which they came', () => {
  const groups = groupByStage([line(1, 'Plan'), line(2, 'Plan'), line(3, 'Apply', 'error'), line(4, 'Plan')]);
  expect(groups.map(({ stage, lines }) => [stage, lines.map(({ id }) => id)])).toEqual([
    ['Plan', [1, 2]],
    ['Apply', [3]],
    ['Plan', [4]],
  ]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(3);
  expect(groups.map(({ hasErrors }) => hasErrors)).toEqual([false, true, false]);
});

test('a group spans from its first to its last line', () => {
  const [group] = groupByStage([line(1, 'Plan'), line(5, 'Plan')]);
  expect([group?.startedAt, group?.endedAt]).toEqual(['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:05.000Z']);
});

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007prompt', 'prompt'],
  ['10%\r50%\r100%', '100%'],
  ['done\r\n', 'done'],
  ['done\r', 'done'],
  ['two\nlines', 'two\nlines'],
  ['bell\u0007 and <b>markup</b>', 'bell and <b>markup</b>'],
])('terminal output %j reads as %j', (output, text) => {
  expect(plainText(output)).toBe(text);
});
