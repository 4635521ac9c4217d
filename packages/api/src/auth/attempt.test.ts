import { ManualClock } from '@berth/core';
import { createSealer, newSealingKey } from '@berth/core/sealer';
import { expect, it } from 'vitest';
import { attemptCookieName, beginAttempt, completeAttempt } from './attempt.ts';

const MINUTE_MS = 60_000;

function browser(accessUrl = 'https://berth.example') {
  const cookies = new Map<string, string>();
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const call = {
    services: { clock, sealer: createSealer([newSealingKey()]), settings: { accessUrl } },
    response: { setCookie: ({ name, value }: { name: string; value: string }) => void cookies.set(name, value) },
  };
  return { call, clock, cookieOf: (purpose: string) => cookies.get(attemptCookieName({ accessUrl }, purpose)) ?? '' };
}

it('gives back what the same browser began, once', async () => {
  const { call, cookieOf } = browser();
  const { state, challenge, nonce } = await beginAttempt(call, { purpose: 'sign-on:staff', redirect: '/workspaces?q=a', userId: 'u1' });
  const attempt = completeAttempt(call, { purpose: 'sign-on:staff', cookie: cookieOf('sign-on:staff'), state });
  expect(attempt).toMatchObject({ state, nonce, redirect: '/workspaces?q=a', user_id: 'u1' });
  expect(challenge).not.toContain(attempt.verifier);
  expect(cookieOf('sign-on:staff')).toBe('');
});

it('completes nothing for another purpose, another state, without the cookie, or too late', async () => {
  const { call, clock, cookieOf } = browser();
  const { state } = await beginAttempt(call, { purpose: 'external-auth:github' });
  const cookie = cookieOf('external-auth:github');
  const refuse = (change: Partial<Parameters<typeof completeAttempt>[1]>, kind: string): void =>
    expect(() => completeAttempt(call, { purpose: 'external-auth:github', cookie, state, ...change })).toThrow(
      expect.objectContaining({ kind }),
    );
  refuse({ purpose: 'external-auth:gitlab' }, 'unauthenticated');
  refuse({ state: `${state}x` }, 'unauthenticated');
  refuse({ state: '' }, 'invalid');
  refuse({ cookie: '' }, 'unauthenticated');
  refuse({ cookie: `${cookie.slice(0, -4)}AAAA` }, 'unauthenticated');
  refuse({ cookie: 'x'.repeat(9000) }, 'unauthenticated');
  clock.advance(10 * MINUTE_MS);
  refuse({}, 'unauthenticated');
});

it.each(['https://evil.example', '//evil.example', '/\\evil.example'])('goes on nowhere for the redirect %s', async (redirect) => {
  const { call, cookieOf } = browser();
  const { state } = await beginAttempt(call, { purpose: 'sign-on:staff', redirect });
  expect(completeAttempt(call, { purpose: 'sign-on:staff', cookie: cookieOf('sign-on:staff'), state }).redirect).toBe('');
});

it('binds its cookie to the host behind TLS', () => {
  expect(attemptCookieName({ accessUrl: 'https://berth.example' }, 'external-auth:my_host')).toBe(
    '__Host-berth_attempt.external-auth.my_host',
  );
  expect(attemptCookieName({ accessUrl: 'http://localhost:3000' }, 'sign-on:staff')).toBe('berth_attempt.sign-on.staff');
});
