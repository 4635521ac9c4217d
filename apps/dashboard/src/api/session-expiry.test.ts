import { afterEach, expect, test } from 'vitest';
import { onSessionExpired, reportFailure, whileReplacingSession } from './session-expiry.ts';

const ended = Object.assign(new Error('Sign in first.'), { data: { kind: 'unauthenticated' } });

afterEach(() => onSessionExpired(() => undefined));

test('a session counts as ended when a call is answered so, and not while it is being replaced', async () => {
  let expiries = 0;
  onSessionExpired(() => {
    expiries += 1;
  });
  reportFailure(Object.assign(new Error('Not allowed.'), { data: { kind: 'forbidden' } }));
  expect(expiries).toBe(0);
  await whileReplacingSession(async () => reportFailure(ended));
  await expect(whileReplacingSession(() => Promise.reject(new Error('Wrong password.')))).rejects.toThrow('Wrong password.');
  expect(expiries).toBe(0);
  reportFailure(ended);
  expect(expiries).toBe(1);
});
