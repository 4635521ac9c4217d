import { expect, test } from 'vitest';
import { countdown, readPoll } from './device-poll.ts';

test('whoever has not entered the code yet is waited for at the same pace', () => {
  expect(readPoll({ kind: 'invalid', detail: 'authorization_pending' }, 5)).toEqual({ kind: 'wait', seconds: 5 });
});

test('a service that is asked too often is asked less often', () => {
  expect(readPoll({ kind: 'invalid', detail: 'slow_down' }, 5)).toEqual({ kind: 'wait', seconds: 10 });
});

test.each(['network', 'unavailable'] as const)('an interruption does not give up (%s)', (kind) => {
  expect(readPoll({ kind, detail: '' }, 5)).toEqual({ kind: 'wait', seconds: 5 });
});

test.each([
  ['expired_token', { kind: 'stop', reason: 'expired' }],
  ['access_denied', { kind: 'stop', reason: 'denied' }],
  ['incorrect_client_credentials', { kind: 'fail' }],
  ['', { kind: 'fail' }],
] as const)('%j ends the waiting', (detail, result) => {
  expect(readPoll({ kind: 'invalid', detail }, 5)).toEqual(result);
});

test.each([
  [899_001, '15:00'],
  [61_000, '1:01'],
  [59_400, '1:00'],
  [900, '0:01'],
  [-5, '0:00'],
])('%i ms are shown as %s', (milliseconds, text) => {
  expect(countdown(milliseconds)).toBe(text);
});
