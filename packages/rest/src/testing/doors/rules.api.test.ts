import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@berth/core';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestServer } from '../index.ts';
import { listen } from '../live.ts';
import { DOORS, hostOf, pathOfApp } from './doors.ts';
import { createDoorFixture } from './fixture.ts';
import { knockPage, knockSocket, knockUpgrade, upgradePage, visit } from './knock.ts';

/** What a browser sends by itself opens no door: a session cookie that a page of another site, or a name of another site, brings along. */
const server = await createTestServer();
const { url } = await listen(server);
const fixture = await createDoorFixture(server, url);
const { accessUrl } = server.services.settings;
const cookie = `berth_session=${await server.keyOf(fixture.holder.id)}`;
const EVIL = 'https://evil.example.com';

const AGENT_DOORS = ['agent tunnel', 'agent rpc'];
const DAEMON_DOORS = ['provisioner daemon'];
/** Who comes by cookie, that is in a browser. */
const sockets = [
  'terminal',
  'the shared terminal, to look on',
  'ssh',
  'tcp port',
  'build log',
  'template version log',
  'dry run log',
  'agent log',
  'rpc socket',
  'path app socket',
];

function knock(name: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const door = DOORS[name];
  if (door === undefined) throw new Error(`no door ${name}`);
  return door.open(fixture, headers);
}

describe('a WebSocket', () => {
  it.each(sockets)(
    'opens for a session cookie on a page of ours without a CSRF token, and not on a page of another site: %s',
    async (name) => {
      expect(await knock(name, { cookie, origin: accessUrl })).toBe('open');
      for (const origin of [EVIL, 'null', `http://${hostOf(() => 'mine')(fixture)}`, `${accessUrl}.evil.example.com`]) {
        expect(await knock(name, { cookie, origin }), origin).toBe('403');
      }
    },
  );

  it.each([...AGENT_DOORS, ...DAEMON_DOORS])(
    'of a program is not opened by a page of another site, whatever it sends: %s',
    async (name) => {
      const headers = AGENT_DOORS.includes(name) ? fixture.visitors.agent : fixture.visitors['organization-admin'];
      expect(await knock(name, headers)).toBe('open');
      expect(await knock(name, { ...headers, origin: EVIL })).toBe('403');
    },
  );

  // Anybody may connect to the typed door; there each call is refused.
  const asked = sockets.map((name) => (name === 'rpc socket' ? 'subscription to a workspace' : name));
  it.each(asked)('is refused to a session cookie under a name that is not ours: %s', async (name) => {
    expect(await knock(name, { cookie, host: 'evil.example.com' })).not.toBe('open');
    expect(await knock(name, { cookie, host: 'evil.example.com', origin: 'http://evil.example.com' })).not.toBe('open');
  });
});

describe('an app', () => {
  const place = { url, path: '/' };
  const own = hostOf(() => 'mine')(fixture);

  it('on its host knows nothing of the dashboard’s session, and on the dashboard’s host nothing is served under its name', async () => {
    expect(await knockPage({ ...place, host: own, headers: { cookie } })).toBe('401');
    expect(await knockUpgrade({ ...place, host: own, headers: { cookie, origin: accessUrl } })).toBe('401');
    // Neither the API nor the dashboard answers under the host of an app, not even to its owner.
    for (const path of ['/api/v2/users/me', '/api/v2/buildinfo', '/healthz', pathOfApp('path')(fixture)]) {
      const { status, body } = await visit({ url, host: own, path, headers: fixture.visitors.holder });
      expect({ path, status, url: JSON.parse(body).url }).toEqual({ path, status: 201, url: path });
    }
    expect(await knockSocket(`${url}/api/rpc`, { ...fixture.visitors.holder, host: own })).not.toBe('open');
  });

  it('below a path takes no cookie under a name that is not ours, and no change that a page of another site makes', async () => {
    const path = pathOfApp('path')(fixture);
    expect(await knockPage({ url, path, headers: { cookie } })).toBe('open');
    expect(await knockPage({ url, path, host: 'evil.example.com', headers: { cookie } })).toBe('400');
    const post = await fetch(`${url}${path}`, { method: 'POST', body: 'x', headers: { cookie, origin: EVIL } });
    expect(post.status).toBe(400);
  });

  it('under a host that no label of ours makes is none', async () => {
    for (const label of ['x', 'a--b', 'a--b--c', 'a--b--c--d--e', '--', 'xn--a--b--c--d']) {
      expect(await knockPage({ ...place, host: `${label}.apps.berth.test`, headers: fixture.visitors.holder }), label).not.toBe('open');
    }
  });
});

describe('credentials', () => {
  it('never reach an app, on a page or a socket, below a path, on a host or at a port; what is the app’s own does', async () => {
    const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
    const app = createServer((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers });
      response.end();
    });
    app.on('upgrade', ({ url: path = '', headers }, socket) => {
      seen.push({ url: path, headers });
      socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n');
    });
    await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve));
    afterAll(() => void app.close());
    const { port } = app.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    await server.prisma.workspaceApp.createMany({
      data: ['spy', 'spy-host'].map((slug) => ({
        id: newId(),
        agentId: fixture.agent.id,
        slug,
        url: address,
        subdomain: slug === 'spy-host',
      })),
    });
    const key = await server.keyOf(fixture.holder.id);
    const secrets = {
      'service-session-token': key,
      'service-provisioner-key': 'a-provisioner-key',
      'x-csrf-token': 'a-csrf-token',
      cookie: `berth_session=${key}; __Host-berth_session=${key}; berth_csrf=a-csrf-token; berth_app_session=${key}; theirs=kept`,
    };
    const { 'service-provisioner-key': _, ...session } = secrets;
    const places = [
      { url, path: pathOfApp('spy')(fixture) },
      { url, path: '/', host: hostOf(() => 'spy-host')(fixture) },
      { url, path: '/', host: hostOf(() => String(port))(fixture) },
    ];
    for (const place of places) {
      for (const headers of [session, { authorization: `Bearer ${key}`, cookie: secrets.cookie }]) {
        const before = seen.length;
        expect(await knockPage({ ...place, headers })).toBe('open');
        const { status, socket } = await upgradePage({ ...place, headers });
        socket?.destroy();
        expect(status).toBe(101);
        expect(seen.length).toBe(before + 2);
      }
    }
    for (const { headers } of seen) {
      const text = JSON.stringify(headers);
      expect(text).not.toContain(key);
      expect(text).not.toMatch(/berth_|service-session-token|service-provisioner-key|authorization/);
      expect(headers.cookie).toBe('theirs=kept');
    }
  });
});
