import { hashPasswordForTest } from '@berth/api/testing';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';

const plain = await createTestServer();
const secure = await createTestServer({ settings: { accessUrl: 'https://berth.example.com' } });
const PASSWORD = 'correct horse battery staple';
const DAY_MS = 86_400_000;

async function signIn(server: typeof plain) {
  const user = await given(server.prisma).user({ passwordHash: await hashPasswordForTest(PASSWORD) });
  const login = await server.app.inject({
    method: 'POST',
    url: '/api/v2/users/login',
    payload: JSON.stringify({ email: user.email, password: PASSWORD }),
  });
  expect(login.statusCode).toBe(201);
  return { user, cookies: login.cookies, key: login.json<{ session_token: string }>().session_token };
}

describe('cookies of a session', () => {
  it('behind TLS are __Host- cookies: Secure, for this host and every path, the session unreadable by scripts', async () => {
    const { cookies } = await signIn(secure);
    expect(cookies.map(({ name }) => name).toSorted()).toEqual(['__Host-berth_csrf', '__Host-berth_session']);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ secure: true, path: '/', sameSite: 'Lax' });
      expect(cookie.domain).toBeUndefined();
    }
    expect(cookies.find(({ name }) => name.endsWith('session'))?.httpOnly).toBe(true);
    expect(cookies.find(({ name }) => name.endsWith('csrf'))?.httpOnly).toBeUndefined();
  });

  it('without TLS are HttpOnly and SameSite=Lax all the same', async () => {
    const { cookies } = await signIn(plain);
    expect(cookies.map(({ name }) => name).toSorted()).toEqual(['berth_csrf', 'berth_session']);
    expect(cookies.find(({ name }) => name === 'berth_session')).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  });

  it('behind TLS count under their __Host- name only, which no other host and no page without TLS can plant', async () => {
    const { key } = await signIn(secure);
    const ask = (cookie: string): Promise<{ status: number }> =>
      secure.rest({ method: 'GET', path: '/users/me', headers: { cookie, host: 'berth.example.com' } });
    expect((await ask(`__Host-berth_session=${key}`)).status).toBe(200);
    expect((await ask(`berth_session=${key}`)).status).toBe(401);
  });

  it('are taken away by signing out, and the session behind them is over', async () => {
    const { cookies, key } = await signIn(secure);
    const csrf = cookies.find(({ name }) => name.endsWith('csrf'))?.value ?? '';
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { cookie, host: 'berth.example.com', 'x-csrf-token': csrf };
    const out = await secure.app.inject({ method: 'POST', url: '/api/v2/users/logout', headers });
    expect(out.statusCode).toBe(200);
    expect(out.cookies.map(({ maxAge, value }) => ({ maxAge, value }))).toEqual([
      { maxAge: 0, value: '' },
      { maxAge: 0, value: '' },
    ]);
    expect((await secure.rest({ method: 'GET', path: '/users/me', headers })).status).toBe(401);
    expect((await secure.rest({ method: 'GET', path: '/users/me', key })).status).toBe(401);
  });
});

describe('a session', () => {
  it('that is used every day ends for good after thirty, on REST and on tRPC', async () => {
    const { key } = await signIn(plain);
    const statuses = async (): Promise<number[]> => {
      const rpc = await plain.app.inject({
        url: `/api/rpc/users.get?input=${encodeURIComponent('{"user":"me"}')}`,
        headers: { 'service-session-token': key },
      });
      return [(await plain.rest({ method: 'GET', path: '/users/me', key })).status, rpc.statusCode];
    };
    for (let day = 1; day < 30; day++) {
      plain.clock.advance(DAY_MS - 1000);
      expect(await statuses(), `day ${day}`).toEqual([200, 200]);
    }
    plain.clock.advance(2 * DAY_MS);
    expect(await statuses()).toEqual([401, 401]);
  });

  it('that is not used ends after a day', async () => {
    const { key } = await signIn(plain);
    plain.clock.advance(DAY_MS + 1000);
    expect((await plain.rest({ method: 'GET', path: '/users/me', key })).status).toBe(401);
  });

  it('cannot be made for, used by or extended by someone with fewer rights', async () => {
    const rows = given(plain.prisma);
    const owner = await rows.user({ siteRoles: ['owner'] });
    const admin = await plain.keyOf((await rows.user({ siteRoles: ['user-admin'] })).id);
    const narrow = await plain.callAsUser(owner.id).tokens.create({ user: 'me', scope: 'application_connect' });
    for (const key of [admin, narrow.key]) {
      for (const path of [`/users/${owner.id}/keys`, `/users/${owner.id}/keys/tokens`]) {
        expect((await plain.rest({ method: 'POST', path, body: {}, key })).status).toBe(404);
      }
    }
  });
});
