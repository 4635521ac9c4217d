import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from './testing/index.ts';

const { app, rest, keyOf, prisma, services } = await createTestServer();
const rows = given(prisma);
const owner = await rows.user({ siteRoles: ['owner'] });
const key = await keyOf(owner.id);

describe('every response', () => {
  it('carries a request id of its own, the version, and headers that keep browsers careful', async () => {
    const one = await app.inject({ url: '/api/v2/buildinfo', headers: { 'x-request-id': 'chosen-by-the-caller' } });
    const two = await app.inject({ url: '/api/v2/buildinfo' });
    expect(one.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id']);
    expect(one.headers).toMatchObject({ 'x-berth-version': 'v0.0.0-test', 'x-content-type-options': 'nosniff' });
    expect(one.headers['content-security-policy']).toContain("script-src 'self'");
  });
});

describe('the content policy', () => {
  it('is on the pages under /@ of ours, and allows nothing on what we say in place of an app', async () => {
    const page = await app.inject({ url: '/@ada/dev/terminal' });
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const workspaceApp = await app.inject({ url: '/@ada/dev/apps/web/' });
    expect(workspaceApp.headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('a request that is wrong', () => {
  it('in its JSON, its body type or its size gets the error body, never a 500', async () => {
    const bodies = ['{"email": ', '[1, 2]', '"text"', 'null', '{"email": 1, "password": []}', 'not json at all'];
    for (const body of bodies) {
      const { status, body: answer } = await rest({ method: 'POST', path: '/users/login', body });
      expect(status, body).toBe(400);
      expect(answer).toMatchObject({ message: expect.any(String), detail: expect.any(String), validations: expect.any(Array) });
    }
    const huge = await app.inject({ method: 'POST', url: '/api/v2/users/login', payload: `{"email":"${'x'.repeat(3_000_000)}"}` });
    expect(huge.statusCode).toBe(413);
    expect(huge.json()).toHaveProperty('validations');
  });

  it('names each bad field once', async () => {
    const { status, body } = await rest({ method: 'POST', path: '/users/login', body: {} });
    expect(status).toBe(400);
    expect(body).toMatchObject({ validations: [{ field: 'email' }, { field: 'password' }] });
  });

  it('in its query names the parameter', async () => {
    for (const query of ['limit=x', 'limit=-1', 'limit=1e3', 'limit=1&limit=2', 'offset=1.5', 'after_id=1']) {
      const { status, body } = await rest({ method: 'GET', path: `/users?${query}`, key });
      expect(status, query).toBe(400);
      expect(body).toMatchObject({ validations: [{ field: query.split('=')[0] }] });
    }
  });

  it('in its method gets 405 and the methods that work', async () => {
    const response = await app.inject({ method: 'DELETE', url: '/api/v2/buildinfo' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET');
  });

  it('in its path gets 404 with the error body', async () => {
    const response = await app.inject({ url: '/api/v2/nothing/here' });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toHaveProperty('message');
  });
});

describe('a credential', () => {
  it('that is absent or wrong is 401, before anything is said about the path’s object', async () => {
    for (const bad of [undefined, 'nonsense', 'aaaaaaaaaa-bbbbbbbbbbbbbbbbbbbbbb', crypto.randomUUID()]) {
      expect((await rest({ method: 'GET', path: '/users/does-not-exist', key: bad })).status).toBe(401);
    }
  });

  it('from a cookie needs the CSRF token for unsafe methods only', async () => {
    const cookie = `berth_session=${key}`;
    expect((await rest({ method: 'GET', path: '/users/me', headers: { cookie } })).status).toBe(200);
    const refused = await rest({ method: 'PUT', path: '/users/me/appearance', body: { theme_preference: 'dark' }, headers: { cookie } });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('CSRF') } });
    const wrong = await rest({
      method: 'PUT',
      path: '/users/me/appearance',
      body: { theme_preference: 'dark' },
      headers: { cookie, 'x-csrf-token': 'x' },
    });
    expect(wrong.status).toBe(400);
  });

  it('of a login works as cookie with the CSRF cookie’s value, and is HttpOnly and SameSite', async () => {
    const { hashPasswordForTest } = await import('@berth/api/testing');
    const user = await rows.user({ passwordHash: await hashPasswordForTest('correct horse battery staple') });
    const login = await app.inject({
      method: 'POST',
      url: '/api/v2/users/login',
      payload: JSON.stringify({ email: user.email, password: 'correct horse battery staple' }),
    });
    expect(login.statusCode).toBe(201);
    const session = login.cookies.find((cookie) => cookie.name === 'berth_session');
    const csrf = login.cookies.find((cookie) => cookie.name === 'berth_csrf');
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(csrf?.httpOnly).toBeUndefined();
    const changed = await rest({
      method: 'PUT',
      path: '/users/me/appearance',
      body: { theme_preference: 'dark' },
      headers: { cookie: `berth_session=${session?.value}`, 'x-csrf-token': csrf?.value ?? '' },
    });
    expect(changed).toMatchObject({ status: 200, body: { theme_preference: 'dark' } });
  });

  it('of a session beside a provisioner key does not count: the provisioner key does', async () => {
    const { status } = await rest({
      method: 'GET',
      path: '/users/me',
      key,
      headers: { 'service-provisioner-key': services.settings.builtinProvisionerKey.reveal() },
    });
    expect(status).toBe(401);
  });
});

describe('success', () => {
  it('has the documented status: 201 with a body, 204 without', async () => {
    const created = await rest({ method: 'POST', path: '/users/me/keys/tokens', body: { token_name: 'ci' }, key });
    expect(created.status).toBe(201);
    const listed = await rest({ method: 'GET', path: '/users/me/keys/tokens', key });
    const [token] = listed.body as { id: string }[];
    const deleted = await rest({ method: 'DELETE', path: `/users/me/keys/${token?.id}`, key });
    expect(deleted).toMatchObject({ status: 204, body: undefined });
  });

  it('reads booleans and integers of a query exactly', async () => {
    expect((await rest({ method: 'GET', path: '/users/me/keys/tokens?include_all=false', key })).status).toBe(200);
    expect((await rest({ method: 'GET', path: '/users/me/keys/tokens?include_all=maybe', key })).status).toBe(400);
  });
});
