import { expect, test } from 'vitest';
import type { LogRow, ShownLine } from './log-lines.ts';
import { cutAtMatches, logText, matchesOf, rowsOf, shownLine, stagesOf } from './log-lines.ts';
import { plainText } from './plain-text.ts';

const ALL = { floor: 'trace', stage: null } as const;
const line = (id: number, stage: string, level: ShownLine['level'] = 'info'): ShownLine =>
  shownLine({ id, stage, level, at: `2026-01-01T00:00:0${id}.000Z`, output: `line ${id}` });
const brief = (rows: readonly LogRow[]) => rows.map((row) => (row.kind === 'heading' ? row.stage : row.number));

test('lines stand under their stage, in the order in which they came', () => {
  const rows = rowsOf([line(1, 'Plan'), line(2, 'Plan'), line(3, 'Apply', 'error'), line(4, 'Plan')], ALL);
  expect(brief(rows)).toEqual(['Plan', 1, 2, 'Apply', 3, 'Plan', 4]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  expect(rows.flatMap((row) => (row.kind === 'heading' ? [row.hasErrors] : []))).toEqual([false, true, false]);
});

const times = (rows: readonly LogRow[]) => rows.flatMap((row) => (row.kind === 'heading' ? [row.tookMs] : []));

test('a heading shows the time from the first to the last line under it, and none under which there is one line', () => {
  const rows = rowsOf([line(1, 'Plan'), line(5, 'Plan'), line(6, ''), line(7, 'Apply')], ALL);
  expect(brief(rows)).toEqual(['Plan', 1, 2, 3, 'Apply', 4]);
  expect(times(rows)).toEqual([4000, null]);
});

test('a heading shows the measured time of its stage, unless the stage comes twice', () => {
  const measured = new Map([
    ['Plan', 216],
    ['Apply', 48],
  ]);
  const lines = [line(1, 'Plan'), line(2, 'Apply'), line(3, 'Plan'), line(5, 'Plan')];
  expect(times(rowsOf(lines.slice(0, 2), ALL, measured))).toEqual([216, 48]);
  expect(times(rowsOf(lines, ALL, measured))).toEqual([null, 48, 2000]);
});

test('lines keep their numbers when others are filtered out', () => {
  const lines = [line(1, 'Plan', 'debug'), line(2, 'Plan', 'warn'), line(3, 'Apply'), line(4, 'Apply', 'error')];
  expect(brief(rowsOf(lines, { floor: 'warn', stage: null }))).toEqual(['Plan', 2, 'Apply', 4]);
  expect(brief(rowsOf(lines, { floor: 'info', stage: 'Apply' }))).toEqual(['Apply', 3, 4]);
  expect(rowsOf(lines, { floor: 'error', stage: 'Plan' })).toEqual([]);
  expect(stagesOf([...lines, line(5, '')])).toEqual(['Plan', 'Apply']);
});

test('what is searched is found whatever its case, never in headings, and cut out of its line', () => {
  const rows = rowsOf([line(1, 'LINE'), line(2, 'LINE')], ALL);
  expect(matchesOf(rows, 'LiNe 2')).toEqual([2]);
  expect(matchesOf(rows, '')).toEqual([]);
  expect(cutAtMatches('An error, another Error', 'error')).toEqual(['An ', 'error', ', another ', 'Error', '']);
  expect(cutAtMatches('nothing', 'error')).toEqual(['nothing']);
  // A capital İ has two places in lower case.
  expect(cutAtMatches('İ error', 'error')).toEqual(['İ error']);
});

test('a log that is taken home has times, levels and stages, and no colours', () => {
  const colored = shownLine({ id: 9, at: '2026-01-01T00:00:09.000Z', level: 'error', stage: '', output: '\u001b[31mred\u001b[0m' });
  expect(colored.colored).toBeDefined();
  expect(logText([line(1, 'Plan'), colored])).toBe('2026-01-01T00:00:01.000Z info  [Plan] line 1\n2026-01-01T00:00:09.000Z error red\n');
});

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[38:5:1mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007prompt', 'prompt'],
  ['10%\r50%\r100%', '100%'],
  ['done\r\n', 'done'],
  ['done\r', 'done'],
  ['two\nlines', 'two\nlines'],
  ['bell\u0007 and <b>markup</b>', 'bell and <b>markup</b>'],
])('terminal output %j reads as %j', (output, text) => {
  expect(plainText(output)).toBe(text);
});
