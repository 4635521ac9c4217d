import { AUDIT_SEARCH, parseSearch } from '@berth/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SPAN_PRESETS, localInstant, localText, presetSpan, spanOf, spanWords, utcText, withSpan } from './time-span.ts';

const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => {
  date.setUTCMilliseconds(0);
  return date;
});
const bound = fc.option(instant);

test('a span that is put into a query is read from it again, and the server reads the same', () => {
  fc.assert(
    fc.property(bound, bound, (from, to) => {
      const q = withSpan('action:delete', { from, to });
      expect(spanOf(q)).toEqual({ from, to });
      const parsed = parseSearch(q, AUDIT_SEARCH);
      expect(parsed.ok && { from: parsed.search.from ?? null, to: parsed.search.before ?? null }).toEqual({ from, to });
    }),
  );
});

test('days of a query are whole days in UTC', () => {
  expect(spanOf('date_from:2026-01-02 date_to:2026-01-02')).toEqual({
    from: new Date('2026-01-02T00:00:00Z'),
    to: new Date('2026-01-03T00:00:00Z'),
  });
  expect(spanOf('date_from:soon')).toEqual({ from: null, to: null });
});

test('what a field of date and time shows is what it gives back, to the minute', () => {
  fc.assert(
    fc.property(instant, (date) => {
      const back = localInstant(localText(date));
      // Of the hour that comes twice in autumn a field knows one only.
      expect([0, 3_600_000]).toContain(Math.abs(Math.floor(date.getTime() / 60_000) * 60_000 - (back?.getTime() ?? 0)));
    }),
  );
  expect([localText(null), localInstant(''), localInstant('2026-01')]).toEqual(['', null, null]);
});

test('presets begin before now, and days at midnight', () => {
  const now = new Date(2026, 10, 21, 15, 30);
  for (const preset of SPAN_PRESETS) {
    const { from, to } = presetSpan(preset, now);
    expect(from?.getTime()).toBeLessThan(now.getTime());
    expect(to === null || to.getTime() > (from?.getTime() ?? 0)).toBe(true);
  }
  expect(presetSpan('Yesterday', now)).toEqual({ from: new Date(2026, 10, 20), to: new Date(2026, 10, 21) });
  expect(presetSpan('Last 7 days', now).from).toEqual(new Date(2026, 10, 15));
});

test('a span is said as short as it can be', () => {
  expect(spanWords({ from: null, to: null })).toBe('');
  const words = spanWords({ from: new Date(2026, 0, 2), to: new Date(2026, 0, 3) });
  expect(words).not.toContain('–');
  expect(spanWords({ from: new Date(2026, 0, 2), to: new Date(2026, 0, 9) })).toContain('–');
  expect(spanWords({ from: new Date(2026, 0, 2), to: null })).toMatch(/^since /);
  expect(utcText(new Date('2026-01-02T03:04:05Z'))).toBe('2026-01-02 03:04 UTC');
});
