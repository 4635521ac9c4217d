import { expect, test } from 'vitest';
import type { ChainFacts } from './chain-words.ts';
import { chainState } from './chain-words.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const kind = (facts: Partial<ChainFacts>): string =>
  chainState(
    {
      sealed: 5,
      sealed_at: null,
      last_sealed_id: null,
      last_sealed_time: null,
      head: '',
      waiting: 0,
      waiting_since: null,
      last_verification: null,
      ...facts,
    },
    NOW,
  ).kind;

test('a log is sealed, about to be, behind, or broken', () => {
  expect(kind({})).toBe('sealed');
  expect(kind({ waiting: 2, waiting_since: '2026-11-21T11:59:50Z' })).toBe('waiting');
  expect(kind({ waiting: 2, waiting_since: '2026-11-21T11:00:00Z' })).toBe('behind');
  const failed = { at: '2026-11-21T11:00:00Z', ok: false, rows: 3, head: '', explanation: 'row 4' };
  expect(kind({ waiting: 2, last_verification: failed })).toBe('broken');
});
