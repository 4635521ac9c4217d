import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LineFacts } from './schedule-line.ts';
import { labeledDays, lanesOf, lineOf } from './schedule-line.ts';

const HOUR = 3_600_000;
// A Monday.
const NOW = Date.parse('2026-06-01T12:00:00Z');
const event = (kind: LineFacts['events'][number]['kind'], time: string) =>
  ({ kind, time, rule: kind === 'autostart' ? 'autostart' : 'ttl', setting: '', value: null }) as const;
const facts = (part: Partial<LineFacts>): LineFacts => ({
  now: NOW,
  events: [],
  isRunning: false,
  autostart: null,
  allowedDays: undefined,
  ttlMs: null,
  quietHours: null,
  ...part,
});
const brief = (part: Partial<LineFacts>) =>
  lineOf(facts(part)).events.map(
    ({ kind, at, isForeseen }) => `${isForeseen ? '~' : ''}${kind} ${new Date(at).toISOString().slice(5, 16)}`,
  );
const running = (part: Partial<LineFacts>) =>
  lineOf(facts(part)).running.map(
    ({ from, to }) => `${new Date(from).toISOString().slice(5, 16)} ${new Date(to).toISOString().slice(5, 16)}`,
  );

test('after the start that is set, the schedule and the time to run make the days that follow', () => {
  const weekday = {
    isRunning: true,
    events: [event('autostop', '2026-06-01T18:00:00Z'), event('autostart', '2026-06-02T08:00:00Z')],
    autostart: 'CRON_TZ=UTC 0 8 * * 1-3',
    ttlMs: 9 * HOUR,
  };
  expect(brief(weekday)).toEqual([
    'autostop 06-01T18:00',
    'autostart 06-02T08:00',
    '~autostop 06-02T17:00',
    '~autostart 06-03T08:00',
    '~autostop 06-03T17:00',
    '~autostart 06-08T08:00',
  ]);
  expect(running(weekday)).toEqual([
    '06-01T07:00 06-01T18:00',
    '06-02T08:00 06-02T17:00',
    '06-03T08:00 06-03T17:00',
    '06-08T08:00 06-08T12:00',
  ]);
  expect(brief({ ...weekday, allowedDays: ['tuesday'] })).toEqual([
    'autostop 06-01T18:00',
    'autostart 06-02T08:00',
    '~autostop 06-02T17:00',
  ]);
});

test('nobody is foreseen to be stopped in the morning', () => {
  const long = { events: [event('autostart', '2026-06-02T08:00:00Z')], autostart: 'CRON_TZ=UTC 0 8 * * *', ttlMs: 30 * HOUR };
  expect(brief(long).slice(0, 3)).toEqual(['autostart 06-02T08:00', '~autostop 06-04T14:00', '~autostart 06-05T08:00']);
});

test('without an end to its running, or once it sleeps, nothing more is foreseen', () => {
  const autostart = 'CRON_TZ=UTC 0 8 * * *';
  const start = event('autostart', '2026-06-02T08:00:00Z');
  expect(brief({ events: [start], autostart })).toEqual(['autostart 06-02T08:00']);
  expect(running({ events: [start], autostart })).toEqual(['06-02T08:00 06-08T12:00']);
  expect(brief({ events: [start, event('dormant', '2026-06-03T00:00:00Z')], autostart, ttlMs: HOUR })).toEqual([
    'autostart 06-02T08:00',
    '~autostop 06-02T09:00',
    'dormant 06-03T00:00',
  ]);
});

test('what comes after the week is counted, and quiet hours begin once a day', () => {
  const line = lineOf(facts({ events: [event('delete', '2026-09-01T00:00:00Z')], quietHours: 'CRON_TZ=Europe/Lisbon 30 22 * * *' }));
  expect(line).toMatchObject({ events: [], later: 1 });
  expect(line.quiet.map((at) => new Date(at).toISOString().slice(5, 16))).toEqual([
    '05-31T21:30',
    '06-01T21:30',
    '06-02T21:30',
    '06-03T21:30',
    '06-04T21:30',
    '06-05T21:30',
    '06-06T21:30',
    '06-07T21:30',
  ]);
  expect(line.days).toHaveLength(7);
  expect(lineOf(facts({ quietHours: 'nonsense', autostart: 'nonsense' }))).toMatchObject({ quiet: [], events: [] });
});

test('a schedule of every minute makes a line that ends', () => {
  const { events } = lineOf(
    facts({ events: [event('autostart', '2026-06-01T12:01:00Z')], autostart: 'CRON_TZ=UTC * * * * *', ttlMs: 30_000 }),
  );
  expect(events.length).toBeLessThan(100);
});

test('two marks in one lane never touch, and no lane is left out', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1000 }), { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), (given, gap) => {
      const places = given.toSorted((a, b) => a - b);
      const lanes = lanesOf(places, gap);
      for (const [index, lane] of lanes.entries()) {
        const before = lanes.lastIndexOf(lane, index - 1);
        if (index > 0 && before !== -1) expect((places[index] ?? 0) - (places[before] ?? 0)).toBeGreaterThanOrEqual(gap);
        if (lane > 0) expect(lanes.slice(0, index)).toContain(lane - 1);
      }
    }),
  );
});

test('a day is labeled only where its label meets neither that of now, nor the next day, nor the end', () => {
  const days = [20, 160, 300, 440, 580];
  const labels = { days, nowWidth: 32, dayWidth: 50, end: 620 };
  expect(labeledDays({ ...labels, now: 5 })).toEqual([true, true, true, true, false]);
  // The label "now" extends to the left of its line, so it overlaps the label of a day just before it.
  expect(labeledDays({ ...labels, now: 60 })).toEqual([false, true, true, true, false]);
  expect(labeledDays({ ...labels, now: 100 })).toEqual([false, true, true, true, false]);
  expect(labeledDays({ ...labels, now: 110, end: 640 })).toEqual([true, true, true, true, true]);
  expect(labeledDays({ ...labels, now: 0, days: [0, 40, 100] })).toEqual([false, true, true]);
});
