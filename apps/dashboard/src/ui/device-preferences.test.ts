import { expect, it } from 'vitest';
import { readPreferences } from './device-preferences.ts';

const store = (values: Record<string, string>) => ({ getItem: (key: string) => values[key] ?? null });

it('is roomy, obeys single keys and speaks of times as people do, unless told otherwise', () => {
  expect(readPreferences(store({}))).toEqual({ density: 'comfortable', plainKeys: true, exactTimes: false });
  expect(readPreferences(store({ 'berth-density': 'compact', 'berth-plain-keys': 'off', 'berth-exact-times': 'on' }))).toEqual({
    density: 'compact',
    plainKeys: false,
    exactTimes: true,
  });
  expect(readPreferences(store({ 'berth-density': 'huge' })).density).toBe('comfortable');
});

it('does without a storage that is closed', () => {
  const closed = {
    getItem: () => {
      throw new Error('closed');
    },
  };
  expect(readPreferences(closed)).toEqual({ density: 'comfortable', plainKeys: true, exactTimes: false });
});
