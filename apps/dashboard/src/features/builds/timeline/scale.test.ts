import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOf, ticksOf } from './scale.ts';

const texts = (length: number, most = 6) => ticksOf({ from: 1000, to: 1000 + length }, most).map(({ text }) => text);

test('ticks stand at spans that people count in', () => {
  expect(texts(3600)).toEqual(['0', '1 s', '2 s', '3 s']);
  expect(texts(400)).toEqual(['0', '0.1 s', '0.2 s', '0.3 s', '0.4 s']);
  expect(texts(70_000)).toEqual(['0', '15 s', '30 s', '45 s', '1 min']);
  expect(texts(25 * 60_000)).toEqual(['0', '10 min', '20 min']);
  expect(texts(9 * 3_600_000)).toEqual(['0', '2 h', '4 h', '6 h', '8 h']);
  expect(texts(0)).toEqual(['0']);
});

test('however long it was, ticks begin at 0, rise within the line and are never too many', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * 86_400_000 }), fc.integer({ min: 1, max: 12 }), (length, most) => {
      const ticks = ticksOf({ from: 0, to: length }, most);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(most);
      expect(ticks[0]).toEqual({ place: 0, text: '0' });
      expect(ticks.every(({ place }, index) => place <= 1 && place >= (ticks[index - 1]?.place ?? 0))).toBe(true);
      expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
    }),
  );
});

test('what lies outside a line is at its end', () => {
  const scale = { from: 100, to: 200 };
  expect([50, 100, 125, 200, 900].map((at) => placeOf(scale, at))).toEqual([0, 0, 0.25, 1, 1]);
  expect(placeOf({ from: 5, to: 5 }, 7)).toBe(0);
});
