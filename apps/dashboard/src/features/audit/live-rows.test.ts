import { expect, test } from 'vitest';
import type { AuditSlice } from './live-rows.ts';
import { freshRows, withFresh } from './live-rows.ts';

type Row = AuditSlice['audit_logs'][number];
const page = (from: number, to: number, next: string | null = 'next'): AuditSlice => ({
  audit_logs: Array.from({ length: from - to + 1 }, (_, at) => ({ id: String(from - at), time: `t${from - at}` }) as Row),
  count: from,
  next,
});
const ids = ({ audit_logs: rows }: AuditSlice): string[] => rows.map(({ id }) => id);

test('new rows are put in above those that are shown, once', () => {
  const [shown, newest] = [page(5, 3), page(7, 4)];
  expect(freshRows(newest, shown.audit_logs).map(({ id }) => id)).toEqual(['7', '6']);
  const merged = withFresh(shown, newest);
  expect(ids(merged)).toEqual(['7', '6', '5', '4', '3']);
  expect(merged).toMatchObject({ count: 7, next: 'next' });
  expect(freshRows(newest, merged.audit_logs)).toEqual([]);
});

test('when more came than was read at once, the page begins anew rather than with a gap', () => {
  expect(ids(withFresh(page(5, 3), page(20, 15)))).toEqual(ids(page(20, 15)));
});

test('the first rows of an empty log are all there is', () => {
  const merged = withFresh({ audit_logs: [], count: 0, next: null }, page(2, 1, null));
  expect(ids(merged)).toEqual(['2', '1']);
  expect(merged.next).toBeNull();
});

test('a page that has grown long is cut at its end, where the next one goes on', () => {
  const merged = withFresh(page(400, 101), page(405, 400));
  expect(merged.audit_logs).toHaveLength(300);
  expect(merged.next).toBe('t106_106');
});
