import { SCHEDULE_EVENT_RULES } from '@berth/domain';
import { expect, test } from 'vitest';
import { ruleSentence } from './schedule-words.ts';

test('every rule has a sentence, with its value where it has one', () => {
  for (const rule of SCHEDULE_EVENT_RULES) expect(ruleSentence({ rule, value: null })).toMatch(/\.$/);
  expect(ruleSentence({ rule: 'ttl', value: 28_800_000 })).toBe('It runs for 8 hours after a start.');
  expect(ruleSentence({ rule: 'autostart', value: 'CRON_TZ=Europe/Lisbon 30 8 * * 1-5' })).toBe(
    'Its schedule: 30 8 * * 1-5 (Europe/Lisbon).',
  );
});
