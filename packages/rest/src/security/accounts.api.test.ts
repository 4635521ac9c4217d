import { CachingAuthenticator, createRateLimit } from '@berth/api/server';
import { hashPasswordForTest } from '@berth/api/testing';
import { given, uniqueName } from '@berth/testing';
import { describe, expect, it, vi } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { ended, listen } from '../testing/live.ts';
import { recordingLog } from './recording-log.ts';

const PASSWORD = 'correct horse battery staple';
const passwordHash = await hashPasswordForTest(PASSWORD);
const sent: string[] = [];
const mailer = { isConfigured: true, send: ({ text }: { text: string }) => Promise.resolve(void sent.push(text)) };
const { lines, log, http } = recordingLog();
const server = await createTestServer({ services: { mailer, log }, http: { logger: http } });
const { prisma, bus, clock, services } = server;
const { url } = await listen(server);
const rows = given(prisma);
const organization = await rows.organization();
const admin = await server.keyOf((await rows.user({ siteRoles: ['user-admin'] })).id);
const ownerKey = await server.keyOf((await rows.user({ siteRoles: ['owner'] })).id);

/** The status of one call over both doors, which must be the same. */
async function status(operation: { rest: string; rpc: string; input?: object }, key: string, body: object): Promise<number> {
  const [method = '', path = ''] = operation.rest.split(' ');
  const payload = { ...operation.input, ...body };
  const rpc = await server.app.inject({
    method: 'POST',
    url: `/api/rpc/${operation.rpc}`,
    headers: { 'service-session-token': key, 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });
  const rest = await server.rest({ method: method as 'PUT', path, key, ...(method === 'DELETE' ? {} : { body }) });
  expect(rest.status).toBe(rpc.statusCode);
  return rest.status;
}

describe('authentication joins the live user row', () => {
  it.each([
    ['suspended', (id: string) => ({ method: 'PUT' as const, path: `/users/${id}/status/suspend` })],
    ['deleted', (id: string) => ({ method: 'DELETE' as const, path: `/users/${id}` })],
    [
      'given another password',
      (id: string) => ({ method: 'PUT' as const, path: `/users/${id}/password`, body: { password: `${PASSWORD}!` } }),
    ],
  ])('so an account that is %s is out at once on both doors and every replica, and the streams that it held end', async (_, change) => {
    const user = await rows.user({ memberOf: [organization.id], passwordHash });
    const key = await server.keyOf(user.id);
    const headers = { 'service-session-token': key };
    const replica = new CachingAuthenticator({ prisma, bus, clock, log: services.log, settings: services.settings });
    expect(await replica.byToken(key, '')).toMatchObject({ userId: user.id });
    const stream = await fetch(`${url}/api/rpc/workspaces.watchList?input=%7B%7D`, { headers });
    expect(stream.status).toBe(200);

    const { status: answer } = await server.rest({ ...change(user.id), key: admin });
    expect(answer).toBeLessThan(300);

    await ended(stream);
    expect((await server.rest({ method: 'GET', path: '/users/me', key })).status).toBe(401);
    const rpc = await fetch(`${url}/api/rpc/users.get?input=${encodeURIComponent('{"user":"me"}')}`, { headers });
    expect(rpc.status).toBe(401);
    await expect.poll(() => replica.byToken(key, '')).toBeNull();
  });

  it('so a role that is taken counts no longer, and the streams that it opened end', async () => {
    const { workspace } = await rows.workspace();
    const { version } = await rows.version({ status: 'running' });
    const reader = await rows.user({ siteRoles: ['template-admin'] });
    const key = await server.keyOf(reader.id);
    const headers = { 'service-session-token': key };
    const input = encodeURIComponent(JSON.stringify({ templateversion: version.id }));
    const streams = await Promise.all([
      fetch(`${url}/api/v2/workspaces/${workspace.id}/watch`, { headers }),
      fetch(`${url}/api/rpc/templateVersions.followLogs?input=${input}`, { headers }),
    ]);
    expect(streams.map((stream) => stream.status)).toEqual([200, 200]);
    await server.rest({ method: 'PUT', path: `/users/${reader.id}/roles`, body: { roles: [] }, key: ownerKey });
    await Promise.all(streams.map((stream) => ended(stream)));
    for (const path of [`/workspaces/${workspace.id}`, `/templateversions/${version.id}`]) {
      expect((await server.rest({ method: 'GET', path, key })).status, path).toBe(404);
    }
  });
});

describe('changing one’s own password', () => {
  it('signs the browser out that did it', async () => {
    const user = await rows.user({ passwordHash });
    const response = await server.app.inject({
      method: 'PUT',
      url: '/api/v2/users/me/password',
      headers: { 'service-session-token': await server.keyOf(user.id) },
      payload: JSON.stringify({ old_password: PASSWORD, password: `${PASSWORD}!` }),
    });
    expect(response.statusCode).toBe(204);
    expect(response.cookies.map(({ maxAge, value }) => ({ maxAge, value }))).toEqual([
      { maxAge: 0, value: '' },
      { maxAge: 0, value: '' },
    ]);
  });
});

describe('nobody acts on a principal with more rights than their own', () => {
  it.each([
    ['DELETE', '', 'users.delete', {}],
    ['PUT', '/profile', 'users.updateProfile', { name: 'Somebody Else' }],
    ['PUT', '/password', 'users.updatePassword', { password: `${PASSWORD}!` }],
    ['PUT', '/status/suspend', 'users.suspend', {}],
    ['PUT', '/status/activate', 'users.activate', {}],
    ['PUT', '/roles', 'users.updateRoles', { roles: [] }],
  ])('by %s /users/{user}%s, on both doors, and the attempt is recorded', async (method, path, rpc, body) => {
    const strong = [
      await rows.user({ passwordHash, siteRoles: ['owner'] }),
      await rows.user({ passwordHash, siteRoles: ['auditor'] }),
      await rows.user({ passwordHash, memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] }),
    ];
    for (const target of strong) {
      const operation = { rest: `${method} /users/${target.id}${path}`, rpc, input: { user: target.id } };
      expect(await status(operation, admin, body)).toBe(403);
      expect(await prisma.user.findUniqueOrThrow({ where: { id: target.id } })).toEqual(target);
      const attempts = await prisma.auditLog.findMany({ where: { resourceId: target.id } });
      expect(attempts.map(({ statusCode }) => statusCode)).toEqual([403, 403]);
    }
  });
});

describe('ids are made by the server', () => {
  it('whatever id a request brings', async () => {
    const id = crypto.randomUUID();
    const username = uniqueName('user');
    const account = { id, email: `${username}@example.com`, username, login_type: 'none', organization_ids: [organization.id] };
    const { status: answer, body } = await server.rest({ method: 'POST', path: '/users', key: ownerKey, body: account });
    expect(answer).toBe(201);
    expect(body).not.toMatchObject({ id });
    expect(await prisma.user.count({ where: { id } })).toBe(0);
  });
});

describe('a passcode', () => {
  it('is nowhere but in the mail: not in the database, an answer, the audit log or a log line', async () => {
    const user = await rows.user({ passwordHash });
    const { status: answer, body } = await server.rest({ method: 'POST', path: '/users/otp/request', body: { email: user.email } });
    expect([answer, body]).toEqual([204, undefined]);
    await vi.waitFor(() => expect(sent.some((text) => text.includes(user.username))).toBe(true));
    const passcode = /\n\n([0-9a-f-]{36})\n\n/.exec(sent.find((text) => text.includes(user.username)) ?? '')?.[1] ?? '';
    expect(passcode).toHaveLength(36);
    const row = await prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    const audited = await prisma.auditLog.findMany({ where: { resourceId: user.id } });
    expect(audited).toHaveLength(1);
    const kept = JSON.stringify([{ ...row, oneTimePasscodeHash: Buffer.from(row.oneTimePasscodeHash ?? []).toString('latin1') }, audited]);
    expect(kept).not.toContain(passcode);
    const change = { email: user.email, one_time_passcode: passcode, password: `${PASSWORD}!` };
    expect((await server.rest({ method: 'POST', path: '/users/otp/change-password', body: change })).status).toBe(204);
    expect(lines.join('\n')).not.toContain(passcode);
    expect(lines.join('\n')).not.toContain(change.password);
  });

  it('is asked for with one and the same answer, whether or not anybody has the address', async () => {
    const user = await rows.user({ passwordHash });
    const ask = async (email: string) => {
      const response = await server.app.inject({ method: 'POST', url: '/api/v2/users/otp/request', payload: JSON.stringify({ email }) });
      const { date: _, 'x-request-id': __, ...headers } = response.headers;
      return { status: response.statusCode, body: response.body, headers: Object.keys(headers) };
    };
    expect(await ask(user.email)).toEqual(await ask('nobody@example.com'));
  });
});

describe('guesses', () => {
  it('at passwords and passcodes are counted together for an address, on both doors', async () => {
    const limited = await createTestServer({ services: { loginLimit: createRateLimit(4) } });
    const email = 'nobody@example.com';
    const attempts: [string, object][] = [
      ['/api/v2/users/login', { email, password: 'guess' }],
      ['/api/v2/users/otp/change-password', { email, password: PASSWORD, one_time_passcode: 'guess' }],
      ['/api/rpc/auth.changePasswordWithPasscode', { email, password: PASSWORD, one_time_passcode: 'guess' }],
      ['/api/v2/users/validate-password', { password: PASSWORD }],
      ['/api/v2/users/otp/request', { email }],
      ['/api/rpc/auth.validatePassword', { password: PASSWORD }],
    ];
    const statuses: number[] = [];
    for (const [path, body] of attempts) {
      const response = await limited.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      statuses.push(response.statusCode);
    }
    expect(statuses).toEqual([401, 400, 400, 200, 429, 429]);
  });

  it('do not fill a mailbox: passcodes for one address are counted wherever they are asked from', async () => {
    const limited = await createTestServer({ services: { loginLimit: createRateLimit(2) } });
    const ask = (email: string, remoteAddress: string) =>
      limited.app.inject({ method: 'POST', url: '/api/v2/users/otp/request', payload: JSON.stringify({ email }), remoteAddress });
    const statuses: number[] = [];
    for (const host of [1, 2, 3]) statuses.push((await ask('Ada@example.com', `198.51.100.${host}`)).statusCode);
    expect(statuses).toEqual([204, 204, 429]);
    expect((await ask('bob@example.com', '198.51.100.4')).statusCode).toBe(204);
  });
});
