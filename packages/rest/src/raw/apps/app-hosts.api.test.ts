import { describe, expect, it } from 'vitest';
import { BROWSER, ask, askApp, echoed, openEcho, startApp, workspaceWithApps } from '../../testing/apps.ts';
import { createTestServer } from '../../testing/index.ts';
import { listen } from '../../testing/live.ts';

const server = await createTestServer({ http: { trustedProxies: ['127.0.0.2'] } });
const { url, port } = await listen(server);
const app = await startApp();
const web = await workspaceWithApps(server, {
  url,
  apps: [{ slug: 'web', subdomain: true, sharingLevel: 'public', url: `http://localhost:${app.port}/base?first=1` }],
});
const host = web.hostOf('web');

/** What would answer on our own host, each in its own way. */
const OURS = [
  '/api/v2/buildinfo',
  '/api/v2/users/me',
  '/api/v2/openapi.json',
  '/api/v2/docs',
  '/api/v2/applications/host',
  '/api/v2/applications/auth-redirect?redirect_uri=x',
  '/api/rpc/buildInfo.get',
  '/healthz',
  '/metrics',
  '/login',
  '/oauth2/authorize',
  '/scim/v2/Users',
  '/external-auth/github/callback',
  web.pathOf('web'),
  '/%ff',
  `/${'x'.repeat(1000)}`,
];

describe('a request for the host of an app', () => {
  it.each(OURS)('is for the app and nothing else: %s', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
      const asked = await askApp({ port, host, path, method });
      expect(asked).toMatchObject({ method, url: `/base${path}`, headers: { host } });
    }
  });

  it.each(['/api/rpc', '/api/v2/workspaceagents/me/tunnel', '/api/v2/workspacebuilds/x/logs?follow', web.pathOf('web')])(
    'is for the app alone when it is an upgrade: %s',
    async (path) => {
      const socket = await openEcho({ port, host, path });
      expect(await echoed(socket, 'ahoy')).toBe('ahoy');
      expect(app.asked.at(-1)?.url).toBe(`/base${path}`);
      socket.destroy();
    },
  );

  it.each(['anything', 'web--main--x', 'a.b', `x.${host.split('.')[0]}`, '..', 'a@b', 'web--main--a--b--c', 'WEB_--a--b--c'])(
    'that names none is refused with a page, and is not ours either: %s',
    async (label) => {
      for (const path of ['/', '/api/v2/buildinfo', '/healthz', '/api/rpc']) {
        const answer = await ask({ port, host: `${label}.apps.berth.test`, path, headers: BROWSER });
        expect(answer.status, path).toBe(400);
        expect(answer.body).toContain('This address does not belong to an app');
        expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      }
      await expect(openEcho({ port, host: `${label}.apps.berth.test`, path: '/api/rpc' })).rejects.toThrow('400');
    },
  );

  it('is one with any port, in capitals, with a final dot, with a prefix of the visitor', async () => {
    for (const same of [`${host}:8443`, host.toUpperCase(), `${host}.`, `pr-7---${host}`, `a--b---${host}`]) {
      expect((await ask({ port, host: same })).status, same).toBe(201);
    }
  });

  it('is never asked about by an injected request either', async () => {
    const answer = await server.app.inject({ url: '/api/v2/buildinfo', headers: { host: 'anything.apps.berth.test' } });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain('version');
  });

  it('keeps the name that a trusted proxy says, and takes no word of anybody else', async () => {
    const forwarded = { 'x-forwarded-host': host };
    expect((await ask({ port, host: '127.0.0.1', path: '/healthz', headers: forwarded })).body).toBe('OK');
    expect((await ask({ port, host, path: '/x', headers: { 'x-forwarded-host': 'berth.test' } })).status).toBe(201);
    const trusting = await createTestServer({ http: { trustedProxies: ['127.0.0.1'] } });
    const other = await listen(trusting);
    expect(
      (await ask({ port: other.port, host: 'internal', path: '/healthz', headers: { 'x-forwarded-host': 'x.apps.berth.test' } })).status,
    ).toBe(400);
    expect(
      (await ask({ port: other.port, host: 'x.apps.berth.test', path: '/healthz', headers: { 'x-forwarded-host': 'berth.test' } })).body,
    ).toBe('OK');
  });

  it('does not reach ports below 9, nor what no app or port is', async () => {
    for (const low of ['1', '8', '8s']) expect((await ask({ port, host: web.hostOf(low) })).status, low).toBe(400);
    expect((await ask({ port, host: web.hostOf('0') })).status).toBe(400);
    expect((await ask({ port, host: web.hostOf('99999') })).status).toBe(400);
  });

  it('opens the app’s own address first, with its query', async () => {
    const first = await ask({ port, host, headers: BROWSER });
    expect(first).toMatchObject({ status: 307, headers: { location: '/?first=1' } });
    expect((await askApp({ port, host, path: '/?first=1', headers: BROWSER })).url).toBe('/base/?first=1');
  });
});

describe('a deployment', () => {
  it('may lie under its own domain of apps, and has apps there all the same', async () => {
    const { parseWildcardHost } = await import('@berth/api/server');
    const under = await createTestServer({
      settings: { accessUrl: 'http://berth.example.com', wildcardHost: parseWildcardHost('*.example.com') },
    });
    const other = await listen(under);
    expect((await ask({ port: other.port, host: 'berth.example.com', path: '/healthz' })).body).toBe('OK');
    expect((await ask({ port: other.port, host: 'other.example.com', path: '/healthz' })).status).toBe(400);
  });

  it('without a domain of apps has none', async () => {
    const without = await createTestServer({ settings: { wildcardHost: null } });
    const other = await listen(without);
    expect((await ask({ port: other.port, host, path: '/healthz' })).body).toBe('OK');
    expect(
      await without
        .callAsUser((await web.rows.user()).id)
        .applications.host({})
        .catch(() => null),
    ).toBeNull();
  });

  it('tells its domain of apps, with its port, to who is signed in', async () => {
    expect((await server.rest({ method: 'GET', path: '/applications/host', key: web.key })).body).toEqual({ host: '*.apps.berth.test' });
  });
});

describe('a session under a name below localhost (DNS rebinding)', () => {
  it('is refused, since such names are apps’ or others’', async () => {
    const cookie = `berth_session=${web.key}`;
    for (const name of ['x.localhost', 'berth.localhost:3000', 'localhost.localhost']) {
      expect((await ask({ port, host: name, path: '/api/v2/users/me', headers: { cookie } })).status, name).toBe(400);
    }
    const login = { method: 'POST', path: '/api/v2/users/login', body: '{}' };
    const origin = 'http://x.localhost:3000';
    expect((await ask({ port, host: 'x.localhost:3000', ...login, headers: { origin } })).status).toBe(400);
  });

  it('is refused to a page of an app, whatever it asks for', async () => {
    const cookie = `berth_session=${web.key}`;
    const origin = `http://${host}`;
    for (const path of ['/api/v2/users/me/keys', '/api/rpc/tokens.create']) {
      expect(
        (
          await ask({
            port,
            host: 'berth.test',
            path,
            method: 'POST',
            body: '{}',
            headers: { cookie, origin, 'content-type': 'application/json' },
          })
        ).status,
      ).toBe(400);
    }
    await expect(
      openEcho({ port, host: 'berth.test', path: '/api/rpc', headers: { cookie, origin, upgrade: 'websocket' } }),
    ).rejects.toThrow('403');
    const read = await ask({ port, host: 'berth.test', path: '/api/v2/users/me', headers: { cookie, origin } });
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
  });
});
