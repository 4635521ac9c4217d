import { createRateLimit } from '@berth/api/server';
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

describe('rule: cookies are __Host-, HttpOnly, SameSite=Lax and Secure behind TLS; the cookies of a session', () => {
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

describe('rule: sessions have an absolute end; a session', () => {
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

describe('guessing a password', () => {
  it('is slowed down for an address, on both doors together, whatever it forwards', async () => {
    const limited = await createTestServer({ services: { loginLimit: createRateLimit(5) } });
    const body = { email: 'nobody@example.com', password: 'guess' };
    const payload = JSON.stringify(body);
    const attempt = async (index: number, remoteAddress: string): Promise<{ status: number; retryAfter: unknown }> => {
      const url = index % 2 === 0 ? '/api/v2/users/login' : '/api/rpc/auth.login';
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${index}` };
      const response = await limited.app.inject({ method: 'POST', url, headers, payload, remoteAddress });
      return { status: response.statusCode, retryAfter: response.headers['retry-after'] };
    };
    const statuses: number[] = [];
    for (let index = 0; index < 7; index++) statuses.push((await attempt(index, '198.51.100.1')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(await attempt(0, '198.51.100.1')).toEqual({ status: 429, retryAfter: '60' });
    expect((await attempt(0, '198.51.100.2')).status).toBe(401);
    const refused = await limited.rest({ method: 'GET', path: '/buildinfo' });
    expect(refused.status).toBe(200);
  });

  it('learns nothing from patterns in the address', async () => {
    const rows = given(plain.prisma);
    const { email } = await rows.user({ passwordHash: await hashPasswordForTest(PASSWORD) });
    for (const pattern of ['%', `%${email}`, email.replace(/^./, '_'), email.replace('@', '%'), `${email}\\`, '\\']) {
      expect(
        (await plain.rest({ method: 'POST', path: '/users/login', body: { email: pattern, password: PASSWORD } })).status,
        pattern,
      ).toBe(401);
    }
  });
});

describe('a flood of requests', () => {
  it('of one address is refused with the time to come back, and other addresses are served', async () => {
    const limited = await createTestServer({ http: { rateLimitPerMinute: 3 } });
    const ask = (remoteAddress: string) => limited.app.inject({ url: '/api/v2/buildinfo', remoteAddress });
    for (let index = 0; index < 3; index++) expect((await ask('198.51.100.1')).statusCode).toBe(200);
    const refused = await ask('198.51.100.1');
    expect({ status: refused.statusCode, retryAfter: refused.headers['retry-after'] }).toEqual({ status: 429, retryAfter: '60' });
    expect(refused.json()).toMatchObject({ message: expect.any(String), detail: '', validations: [] });
    expect((await ask('198.51.100.2')).statusCode).toBe(200);
  });
});
