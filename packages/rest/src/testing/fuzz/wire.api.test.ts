import { once } from 'node:events';
import { connect } from 'node:net';
import { TUNNEL_PATH } from '@berth/api/server';
import { ErrorBody } from '@berth/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { listen, liveWorkspace, upgrade } from '../live.ts';
import { createTestServer } from '../index.ts';
import { FUZZ } from './env.ts';
import { garbage, hostileSegment, hostileText } from './garbage.ts';

/** What does not go through a procedure: raw routes, WebSocket frames, and bytes that are hardly HTTP. */
const server = await createTestServer();
const { url, port } = await listen(server);
const live = await liveWorkspace(server, url);
const owner = await live.rows.user({ siteRoles: ['owner'] });
const key = await server.keyOf(owner.id);
const headers = { 'service-session-token': live.key };
const SEED = { seed: FUZZ.seed, numRuns: Math.ceil(FUZZ.runs / 2) };
const MEBIBYTE = 1024 * 1024;

async function expectAlive(): Promise<void> {
  expect((await fetch(`${url}/api/v2/buildinfo`)).status).toBe(200);
}

const query = fc.dictionary(
  fc.oneof(fc.constantFrom('after', 'follow', 'format', 'reconnect', 'width', 'height', 'command', '__proto__'), hostileText),
  hostileText,
  { maxKeys: 3 },
);

function queryOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}

describe('raw routes under hostile paths and queries', () => {
  const { workspace, build, agent, version } = live;
  const routes: readonly (readonly [string, string])[] = [
    ['/files/', ''],
    ['/workspaces/', '/watch'],
    ['/workspaceagents/', '/watch-metadata'],
    ['/workspaceagents/', '/pty'],
    ['/workspaceagents/', '/logs'],
    ['/workspacebuilds/', '/logs'],
    ['/workspacebuilds/', '/state'],
    ['/templateversions/', '/logs'],
  ];
  const ids = [workspace.id, build.id, agent.id, version.id, workspace.id.toUpperCase(), crypto.randomUUID()];
  const segment = fc.oneof(fc.constantFrom(...ids), hostileSegment);

  it('refuse as documented, or work', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        segment,
        query,
        fc.constantFrom('*/*', 'application/octet-stream'),
        async ([before, after], id, fields, accept) => {
          const path = `${before}${id}${after}?${queryOf(fields)}`;
          const abort = new AbortController();
          const response = await fetch(`${url}/api/v2${path}`, { headers: { ...headers, accept }, signal: abort.signal });
          const isStream = response.headers.get('content-type') === 'text/event-stream';
          const text = isStream ? '' : await response.text();
          abort.abort();
          expect(response.status, `${path} ${text}`).toBeLessThan(500);
          if (response.status >= 400) ErrorBody.parse(JSON.parse(text));
        },
      ),
      { ...SEED, numRuns: FUZZ.runs * 3 },
    );
  });

  it('refuse an upgrade with a status, or open', async () => {
    const sockets = routes.filter(([, after]) => after === '/logs' || after === '/pty');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sockets), segment, query, async ([before, after], id, fields) => {
        const { outcome, socket } = await upgrade(`${url}/api/v2${before}${id}${after}?${queryOf(fields)}`, headers);
        socket.terminate();
        // 1011 is an internal error.
        expect(outcome === 'open' || outcome < 500 || (outcome > 599 && outcome !== 1011), `${before}${id}${after} ${outcome}`).toBe(true);
      }),
      SEED,
    );
  });
});

describe('very long texts', () => {
  it.each(['x', '\0', '\ud800', '%', '"', '\\', '😀', '\u202e'])('of a mebibyte of %j are refused everywhere', async (unit) => {
    const text = unit.repeat(MEBIBYTE / unit.length);
    const calls = [
      { method: 'POST', path: '/users/login', body: { email: text, password: text } },
      { method: 'POST', path: '/users', body: { email: text, username: text, password: text, name: text, organization_ids: [text] } },
      { method: 'POST', path: '/workspaceproxies', body: { name: text, display_name: text, icon: text } },
      { method: 'POST', path: '/users/me/keys/tokens', body: { token_name: text } },
      {
        method: 'POST',
        path: '/users/me/workspaces',
        body: { name: text, template_id: text, rich_parameter_values: [{ name: text, value: text }] },
      },
    ] as const;
    for (const call of calls) {
      const { status, body } = await server.rest({ ...call, key });
      expect([400, 413], call.path).toContain(status);
      // A refusal must not repeat what it refuses.
      expect(JSON.stringify(body).length).toBeLessThan(10_000);
    }
  });

  it('in lists and objects without end are refused too', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => index);
    for (const organization_ids of [many, Object.fromEntries(many.map((index) => [`k${index}`, 1])), many.map(() => ({}))]) {
      const { status, body } = await server.rest({
        method: 'POST',
        path: '/users',
        body: { email: 'a', username: 'a', organization_ids },
        key,
      });
      expect([400, 413]).toContain(status);
      expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
    }
  });
});

describe('WebSocket frames that make no sense', () => {
  const frames = fc.array(
    fc.oneof(
      garbage.map((value) => JSON.stringify(value)),
      hostileText,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.record({ data: garbage, width: garbage, height: garbage }, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
      fc
        .record(
          {
            id: garbage,
            jsonrpc: garbage,
            method: fc.oneof(fc.constantFrom('query', 'mutation', 'subscription', 'subscription.stop', 'connectionParams'), garbage),
            params: fc.oneof(
              garbage,
              fc.record({
                path: fc.oneof(fc.constantFrom('users.get', 'workspaces.watch', '__proto__', 'constructor'), garbage),
                input: garbage,
                lastEventId: garbage,
              }),
            ),
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value)),
    ),
    { minLength: 1, maxLength: 5 },
  );

  it.each([
    ['/api/rpc', headers],
    [`/api/v2/workspaceagents/${live.agent.id}/pty?reconnect=${crypto.randomUUID()}`, headers],
    [`/api/v2/workspacebuilds/${live.build.id}/logs?follow`, headers],
    [TUNNEL_PATH, { 'service-session-token': live.token }],
  ] as const)('end at most their own connection: %s', async (path, credential) => {
    await fc.assert(
      fc.asyncProperty(frames, async (sent) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: credential });
        socket.on('error', () => undefined);
        const closed = once(socket, 'close');
        await once(socket, 'open');
        for (const frame of sent) if (socket.readyState === WebSocket.OPEN) socket.send(frame);
        if (socket.readyState === WebSocket.OPEN) {
          await Promise.race([once(socket, 'pong'), closed, new Promise<void>((resolve) => socket.ping(resolve))]);
        }
        socket.close();
        socket.terminate();
        await closed;
      }),
      SEED,
    );
    await expectAlive();
  });
});

describe('bytes that are hardly HTTP', () => {
  /** Sends them on a connection of their own; answers with what came back until the server closed it, or had nothing more to say. */
  async function exchange(bytes: string | Buffer): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      socket.end();
    });
    socket.on('error', () => undefined);
    socket.write(bytes);
    socket.write('\r\n\r\n');
    socket.setTimeout(2000, () => socket.destroy());
    await new Promise((resolve) => void socket.once('close', resolve));
    return text;
  }

  it.each([
    'GET / HTTP/1.1',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b',
    'GET /api/v2/users/\0 HTTP/1.1\r\nHost: localhost',
    'GET /api/v2/users/\u00e9 HTTP/1.1\r\nHost: localhost',
    'GET //api//v2//buildinfo HTTP/1.1\r\nHost: localhost',
    'GET /api/v2/../v2/buildinfo HTTP/1.1\r\nHost: localhost',
    'GET /api/v2/users/%2e%2e/%2e%2e HTTP/1.1\r\nHost: localhost',
    'GET http://evil.example.com/api/v2/buildinfo HTTP/1.1\r\nHost: localhost',
    'GET * HTTP/1.1\r\nHost: localhost',
    'CONNECT evil.example.com:443 HTTP/1.1\r\nHost: localhost',
    'TRACE / HTTP/1.1\r\nHost: localhost',
    'PROPFIND /api/v2/users HTTP/1.1\r\nHost: localhost',
    'POST /api/v2/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1',
    'POST /api/v2/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked',
    'POST /api/v2/users/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}`,
    `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost`,
    'GET /api/rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket',
    'GET /api/rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99',
    'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c',
    'GET /@a/b/apps/c/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket',
    'GET /@a/b/apps/c/ HTTP/1.1\r\nHost: localhost\r\nCookie: =;;=;berth_session',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001\u0002',
  ])('get a refusal or nothing: %j', async (bytes) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(await exchange(Buffer.from(bytes, 'latin1')))?.[1];
    if (status !== undefined) expect(Number(status)).toBeLessThan(500);
    await expectAlive();
  });
});
