import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { TUNNEL_PATH, procedureFacts } from '@berth/api/server';
import { hashPasswordForTest } from '@berth/api/testing';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { createFixture } from '../testing/matrix/fixture.ts';
import { INPUTS } from '../testing/matrix/inputs/index.ts';
import { listen, liveWorkspace, upgrade } from '../testing/live.ts';

const server = await createTestServer();
const { app, rest, keyOf, prisma, services } = server;
const { url, port } = await listen(server);
const fixture = await createFixture(server);
const owner = await fixture.rows.user({ siteRoles: ['owner'], memberOf: [fixture.organization.id] });
type Headers = Readonly<Record<string, string>>;
const PASSWORD = 'correct horse battery staple';
const EVIL = 'https://evil.example.com';

async function someone() {
  return fixture.rows.user({ memberOf: [fixture.organization.id], passwordHash: await hashPasswordForTest(PASSWORD) });
}

/** Every change that the router offers to people, with an input that would work. */
const mutations = procedureFacts().filter(
  ({ type, meta }) =>
    type === 'mutation' && meta.permission !== 'agent' && meta.permission !== 'provisioner' && meta.permission !== 'public',
);

async function inputOf(path: string): Promise<Record<string, unknown>> {
  return path === 'auth.logout' ? {} : ((await INPUTS[path]?.(fixture)) ?? {});
}

function restOf(facts: (typeof mutations)[number], input: Record<string, unknown>): { method: 'POST'; path: string; body: object } | null {
  const { openapi } = facts.meta;
  if (openapi === undefined) return null;
  const path = openapi.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  return { method: openapi.method as 'POST', path, body: input };
}

describe('rule: unsafe methods with a cookie need the CSRF token; a change by cookie without it', () => {
  it.each(mutations.map((facts) => [facts.path, facts] as const))('is refused and undone: %s', async (path, facts) => {
    const cookie = `berth_session=${await keyOf(owner.id)}`;
    const input = await inputOf(path);
    const csrf = expect.stringContaining('CSRF');
    const attempts: readonly Headers[] = [
      { cookie },
      { cookie, 'x-csrf-token': 'x' },
      { cookie, 'x-csrf-token': '', origin: services.settings.accessUrl },
    ];
    for (const headers of attempts) {
      const call = restOf(facts, input);
      if (call !== null) expect(await rest({ ...call, headers })).toMatchObject({ status: 400, body: { message: csrf } });
      const rpc = await app.inject({
        method: 'POST',
        url: `/api/rpc/${path}`,
        headers: { ...headers, 'content-type': 'application/json' },
        payload: JSON.stringify(input),
      });
      expect({ status: rpc.statusCode, body: rpc.json() }).toMatchObject({ status: 400, body: { error: { message: csrf } } });
      expect(await prisma.auditLog.count({ where: { requestId: String(rpc.headers['x-request-id']) } })).toBe(0);
    }
  });

  it('is refused for an upload too, and with the token of another session', async () => {
    const cookie = `berth_session=${await keyOf(owner.id)}`;
    const upload = await app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { cookie, 'content-type': 'application/x-tar' },
      payload: Buffer.alloc(1024),
    });
    expect(upload.json()).toMatchObject({ message: expect.stringContaining('CSRF') });
    const { email } = await someone();
    const login = await app.inject({ method: 'POST', url: '/api/v2/users/login', payload: JSON.stringify({ email, password: PASSWORD }) });
    const token = login.cookies.find(({ name }) => name === 'berth_csrf')?.value ?? '';
    const change = await rest({ method: 'PUT', path: '/users/me/appearance', body: {}, headers: { cookie, 'x-csrf-token': token } });
    expect(change.status).toBe(400);
  });

  it('cannot be sent as a GET, by no method override', async () => {
    const cookie = `berth_session=${await keyOf(owner.id)}`;
    for (const { path } of mutations) {
      const rpc = await app.inject({
        url: `/api/rpc/${path}?input=${encodeURIComponent(JSON.stringify(await inputOf(path)))}`,
        headers: { cookie, 'x-http-method-override': 'POST' },
      });
      expect(rpc.statusCode, path).toBe(405);
    }
  });
});

describe('what a page of another site makes a browser send', () => {
  const bodies = { email: 'x@example.com', username: 'x', password: PASSWORD };

  it.each(['/users/login', '/users/first'])('is refused before anyone is signed in: POST %s', async (path) => {
    const pages: readonly Headers[] = [
      { origin: EVIL },
      { origin: 'null' },
      { origin: `${EVIL}:${port}` },
      { origin: EVIL, host: 'evil.example.com' },
    ];
    for (const headers of pages) {
      // A form may send JSON as text, without the browser asking first.
      const answer = await rest({ method: 'POST', path, body: bodies, headers: { ...headers, 'content-type': 'text/plain' } });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('another site') } });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('is taken from our own pages, under the access URL and at this machine', async () => {
    for (const headers of [
      { origin: services.settings.accessUrl, host: 'anything:1' },
      { origin: 'http://localhost:3000', host: 'localhost:3000' },
      { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' },
      { origin: 'http://[::1]:3000', host: '[::1]:3000' },
      { origin: 'http://192.0.2.7:3000', host: '192.0.2.7:3000' },
    ]) {
      const { email } = await someone();
      expect(
        (await rest({ method: 'POST', path: '/users/login', body: { email, password: PASSWORD }, headers })).status,
        headers.origin,
      ).toBe(201);
    }
  });

  it('gets no permission to read answers: no CORS headers anywhere', async () => {
    for (const target of ['/api/v2/buildinfo', '/api/v2/users/me', '/api/rpc/buildInfo.get']) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await app.inject({ method, url: target, headers: { origin: EVIL, 'access-control-request-method': 'POST' } });
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  });
});

describe('a session under a host name that is not ours (DNS rebinding)', () => {
  it('is refused on REST and tRPC, while a program’s key works under any name', async () => {
    const key = await keyOf(owner.id);
    const cookie = `berth_session=${key}`;
    for (const host of [
      'evil.example.com',
      `evil.example.com:${port}`,
      'localhost.evil.example.com',
      '127.0.0.1.evil.example.com',
      'berth.test.evil.example.com',
      '0x7f000001',
    ]) {
      expect((await rest({ method: 'GET', path: '/users/me', headers: { cookie, host } })).status, host).toBe(400);
      const rpc = await app.inject({ url: `/api/rpc/users.get?input=${encodeURIComponent('{"user":"me"}')}`, headers: { cookie, host } });
      expect(rpc.statusCode, host).toBe(400);
      expect((await rest({ method: 'GET', path: '/users/me', key, headers: { host } })).status, host).toBe(200);
    }
  });

  it('is not even asked about where the Host header cannot be one', async () => {
    for (const host of ['evil.example.com:80@localhost', 'a/b', 'a b', 'a?b', 'a#b', '[::1', 'a:b', '%00', 'a\\b']) {
      for (const target of ['/api/v2/buildinfo', '/api/rpc/buildInfo.get', '/@me/x/apps/y/', '/']) {
        expect((await app.inject({ url: target, headers: { host } })).statusCode, `${host} ${target}`).toBe(400);
      }
    }
  });

  it('is refused for the same host in Origin, which a rebound page would send', async () => {
    const host = `evil.example.com:${port}`;
    const headers = { cookie: `berth_session=${await keyOf(owner.id)}`, host, origin: `http://${host}` };
    expect((await upgrade(`${url}/api/rpc`, headers)).outcome).toBe(403);
  });
});

describe('rule: WebSockets check Origin and Host; every WebSocket', () => {
  /** Paths of all routes that answer GET, with ids that exist. */
  function pathsOf(live: { agent: { id: string }; build: { id: string }; version: { id: string }; workspace: { id: string } }): string[] {
    const ids: Record<string, string> = {
      workspaceagent: live.agent.id,
      workspacebuild: live.build.id,
      templateversion: live.version.id,
      workspace: live.workspace.id,
    };
    const documented = Object.entries(server.document.paths).flatMap(([path, item]) =>
      item['get'] === undefined ? [] : [`/api/v2${path}`],
    );
    return [...documented, '/api/rpc', TUNNEL_PATH].map(
      (path) =>
        path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? crypto.randomUUID()) +
        (path.endsWith('/pty') ? `?reconnect=${crypto.randomUUID()}` : '') +
        (path.endsWith('/tcp') ? '?port=8080' : ''),
    );
  }

  it('opens for our own pages only: all routes walked with a cookie and the Origin of others', async () => {
    const live = await liveWorkspace(server, url);
    const cookie = `berth_session=${live.key}`;
    const opened: string[] = [];
    for (const path of pathsOf(live)) {
      for (const origin of [EVIL, 'null', `http://evil.example.com:${port}`, 'http://localhost:1', '']) {
        const { outcome, socket } = await upgrade(`${url}${path}`, { cookie, origin });
        expect(outcome, `${path} ${origin}`).not.toBe('open');
        socket.terminate();
      }
      const own = await upgrade(`${url}${path}`, { cookie, origin: url });
      // There is no such run, which may be said before or after the upgrade.
      if (own.outcome === 'open' && !path.includes('/dry-run/')) opened.push(path.replaceAll(/[0-9a-f-]{36}/g, '*').split('?')[0] ?? '');
      own.socket.terminate();
    }
    expect(opened.toSorted()).toEqual([
      '/api/rpc',
      '/api/v2/templateversions/*/logs',
      '/api/v2/workspaceagents/*/logs',
      '/api/v2/workspaceagents/*/pty',
      '/api/v2/workspaceagents/*/ssh',
      '/api/v2/workspaceagents/*/tcp',
      '/api/v2/workspacebuilds/*/logs',
    ]);
    expect((await upgrade(`${url}${TUNNEL_PATH}`, { 'service-session-token': live.token, origin: EVIL })).outcome).toBe(403);
  });
});

describe('a refused upgrade', () => {
  it('leaves no connection behind, whoever refused it', async () => {
    const fresh = await createTestServer();
    const { url: freshUrl } = await listen(fresh);
    const limited = await createTestServer({ http: { rateLimitPerMinute: 1 } });
    const other = await listen(limited);
    const key = await fresh.keyOf((await given(fresh.prisma).user()).id);
    const attempts: readonly (readonly [url: string, headers: Headers, status: number])[] = [
      [`${freshUrl}/api/v2/templateversions/%ff/logs`, {}, 400],
      [`${freshUrl}/api/v2/templateversions/${'x'.repeat(600)}/logs`, {}, 400],
      [`${freshUrl}/api/v2/templateversions/x/logs`, { 'service-session-token': key }, 400],
      [`${freshUrl}/api/v2/templateversions/${crypto.randomUUID()}/logs`, {}, 401],
      [`${freshUrl}/api/rpc`, { origin: EVIL }, 403],
      [`${freshUrl}/api/rpc`, { host: 'a@b' }, 400],
      [`${freshUrl}/nothing`, {}, 404],
      [`${freshUrl}/@a/b/apps/c/`, {}, 401],
      [`${other.url}/api/v2/buildinfo`, {}, 1005],
      [`${other.url}/api/rpc`, {}, 429],
    ];
    for (const [target, headers, status] of attempts) expect((await upgrade(target, headers)).outcome, target).toBe(status);
    for (const { server: http } of [fresh.app, limited.app]) {
      const connections = (): Promise<number> =>
        new Promise((resolve, reject) => http.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));
      await expect.poll(connections).toBe(0);
    }
  });
});

describe('an app of a workspace', () => {
  it('gets what its own page posts, and nothing that a page of another site posts with the visitor’s cookie', async () => {
    const { appPath, key } = await liveWorkspace(server, url);
    const post = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${url}${appPath}form`, {
        method: 'POST',
        body: 'a=1',
        redirect: 'manual',
        headers: { cookie: `berth_session=${key}`, ...headers },
      });
    expect((await post({ origin: url })).status).toBe(201);
    for (const origin of [EVIL, 'null']) expect((await post({ origin })).status, origin).toBe(400);
  });

  it('is not reached by a path with characters that no name has', async () => {
    const { key } = await liveWorkspace(server, url);
    for (const path of [
      '/@me/%00/apps/web/',
      '/@%00/x/apps/web/',
      '/@me/x/apps/%00/',
      '/@me/x.%00/apps/web/',
      '/@me/%/apps/web/',
      '/@me/%ff/apps/web/',
      "/@me/'--/apps/web/",
      '/@%5c/%25/apps/_/',
    ]) {
      const request = httpRequest({ host: '127.0.0.1', port, path, headers: { 'service-session-token': key } }).end();
      const [response] = await once(request, 'response');
      expect(response.statusCode, path).toBeGreaterThanOrEqual(400);
      expect(response.statusCode, path).toBeLessThan(500);
      response.resume();
      expect((await upgrade(`${url}${path}`, { 'service-session-token': key })).outcome, path).toBe(404);
    }
  });
});
