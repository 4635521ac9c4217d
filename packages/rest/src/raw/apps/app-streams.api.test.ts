import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ask, sendRaw, startApp, workspaceWithApps } from '../../testing/apps.ts';
import { createTestServer } from '../../testing/index.ts';
import { listen } from '../../testing/live.ts';

const server = await createTestServer();
const { url, port } = await listen(server);

const MIB = 1024 * 1024;
/** Enough to see whether anything is kept; the benchmark sends a gigabyte. */
const LONG_BYTES = 192 * MIB;
/** What buffers on the way may hold: far less than what goes through. */
const KEPT_MAX = 64 * MIB;
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const BLOCK = Buffer.alloc(64 * 1024, 'x');

/** What the app saw of requests that ended early, and how much it sent or got. */
const seen = { aborted: 0, received: 0, sent: 0, mostInFlight: 0, headers: [] as string[] };
/** Called when the whole of a long body was received, while its exchange still lasts. */
let onAllReceived: () => void = () => undefined;

const app = await startApp((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://app');
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  response.once('close', () => {
    if (!response.writableFinished) seen.aborted += 1;
  });
  switch (pathname) {
    case '/download':
      response.writeHead(200, { 'content-length': LONG_BYTES });
      return void pipeline(Readable.from(blocks(LONG_BYTES)), response).catch(() => undefined);
    case '/endless':
      response.writeHead(200);
      return void pipeline(Readable.from(blocks(Infinity)), response).catch(() => undefined);
    case '/upload':
      return void pipeline(request, counter()).then(
        () => response.end(String(seen.received)),
        () => undefined,
      );
    case '/echo':
      response.writeHead(200);
      return void request.pipe(response);
    case '/refuses':
      return void response.writeHead(413).end('too much');
    case '/breaks':
      response.writeHead(200, { 'content-length': 100 });
      return void response.write('half', () => response.destroy());
    case '/hangs-up':
      return void request.socket.destroy();
    case '/events':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.flushHeaders();
    default:
      return void response.end('hello');
  }
});
app.server.on('checkContinue', (request: IncomingMessage, response) => {
  if (request.url === '/no') return void response.writeHead(417).end();
  response.writeContinue();
  app.server.emit('request', request, response);
});

function* blocks(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= BLOCK.length) {
    seen.sent += BLOCK.length;
    seen.mostInFlight = Math.max(seen.mostInFlight, seen.sent - seen.received);
    yield BLOCK;
  }
}

function counter(): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      seen.received += chunk.length;
      if (seen.received === LONG_BYTES) onAllReceived();
      done();
    },
  });
}

const made = await workspaceWithApps(server, {
  url,
  apps: [{ slug: 'web', subdomain: true, sharingLevel: 'public', url: `http://localhost:${app.port}` }],
});
const host = made.hostOf('web');

function begin(path: string, options: { method?: string; headers?: Record<string, string> } = {}): ClientRequest {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    method: options.method ?? 'GET',
    headers: { host, ...options.headers },
  });
  request.on('error', () => undefined);
  return request;
}

async function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('no answer');
  response.on('error', () => undefined);
  return response;
}

/** What the process still holds once everything has been collected that nobody refers to. */
function retained(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * What a long body occupies: bytes sent and not yet received at the worst moment, and bytes that the process still refers to when all were
 * received. Collects garbage only twice, since a collection takes seconds on a busy machine.
 */
async function costOf(work: () => Promise<void>): Promise<{ inFlight: number; kept: number }> {
  Object.assign(seen, { sent: 0, received: 0, mostInFlight: 0 });
  const before = retained();
  let kept = Infinity;
  onAllReceived = () => {
    kept = retained() - before;
  };
  try {
    await work();
  } finally {
    onAllReceived = () => undefined;
  }
  return { inFlight: seen.mostInFlight, kept };
}

describe('a long body', () => {
  it('comes whole from the app, and nothing of it is kept on the way', async () => {
    const cost = await costOf(async () => pipeline(await answerOf(begin('/download').end()), counter()));
    expect(seen.received).toBe(LONG_BYTES);
    expect(cost.inFlight).toBeLessThan(KEPT_MAX);
    expect(cost.kept).toBeLessThan(KEPT_MAX);
  }, 120_000);

  it.each([
    ['with a length', { 'content-length': String(LONG_BYTES) }],
    ['in pieces', { 'transfer-encoding': 'chunked' }],
  ])(
    'goes whole to the app, and nothing of it is kept on the way: %s',
    async (_, headers) => {
      const cost = await costOf(async () => {
        const request = begin('/upload', { method: 'PUT', headers });
        const answered = answerOf(request);
        await pipeline(Readable.from(blocks(LONG_BYTES)), request);
        const response = await answered;
        expect(response.statusCode).toBe(200);
        response.resume();
      });
      expect(seen.received).toBe(LONG_BYTES);
      expect(cost.inFlight).toBeLessThan(KEPT_MAX);
      expect(cost.kept).toBeLessThan(KEPT_MAX);
    },
    120_000,
  );

  it('goes no faster than its reader reads', async () => {
    seen.sent = 0;
    const response = await answerOf(begin('/endless').end());
    response.pause();
    // It stops by itself: sooner or later a while passes in which nothing more is taken.
    let last = -1;
    await expect
      .poll(
        () => {
          const isStill = seen.sent === last;
          last = seen.sent;
          return isStill;
        },
        { interval: 500, timeout: 25_000 },
      )
      .toBe(true);
    expect(seen.sent).toBeLessThan(64 * MIB);
    response.destroy();
  });
});

describe('an exchange', () => {
  it('goes both ways at the same time', async () => {
    const request = begin('/echo', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
    request.write('one');
    const response = await answerOf(request);
    expect(String((await once(response, 'data'))[0])).toBe('one');
    request.write('two');
    expect(String((await once(response, 'data'))[0])).toBe('two');
    request.end();
    await once(response, 'end');
  });

  it('shows its head before there is any body', async () => {
    const response = await answerOf(begin('/events').end());
    expect(response.headers['content-type']).toBe('text/event-stream');
    response.destroy();
  });

  it('is over for the app as soon as the visitor leaves', async () => {
    const before = seen.aborted;
    const response = await answerOf(begin('/endless').end());
    await once(response, 'data');
    response.destroy();
    await expect.poll(() => seen.aborted, { timeout: 20_000 }).toBe(before + 1);
    const waiting = begin('/events').end();
    await answerOf(waiting);
    waiting.destroy();
    await expect.poll(() => seen.aborted, { timeout: 20_000 }).toBe(before + 2);
  });

  it('breaks off for the visitor where it broke off for the app', async () => {
    const response = await answerOf(begin('/breaks').end());
    response.resume();
    await new Promise((resolve) => response.once('close', resolve));
    expect(response.complete).toBe(false);
  });

  it('that an app answers without reading is answered', async () => {
    const request = begin('/refuses', { method: 'POST', headers: { 'content-length': String(LONG_BYTES) } });
    const answered = answerOf(request);
    request.write(BLOCK);
    const response = await answered;
    expect(response.statusCode).toBe(413);
    response.resume();
    await once(response, 'end');
    request.destroy();
  });

  it('waits with its body for the app to say that it wants it', async () => {
    const wanted = begin('/upload', { method: 'POST', headers: { expect: '100-continue', 'content-length': '5' } });
    seen.received = 0;
    wanted.flushHeaders();
    await once(wanted, 'continue');
    const answered = answerOf(wanted);
    wanted.end('hello');
    expect((await answered).statusCode).toBe(200);
    expect(seen.received).toBe(5);
    const unwanted = begin('/no', { method: 'POST', headers: { expect: '100-continue', 'content-length': '5' } });
    unwanted.flushHeaders();
    expect((await answerOf(unwanted)).statusCode).toBe(417);
    unwanted.destroy();
    // Our own routes take it as always.
    const own = await sendRaw(
      port,
      'POST /api/v2/users/login HTTP/1.1\r\nHost: berth.test\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    );
    expect(own).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  it('on one connection follows the one before', async () => {
    const both = await sendRaw(
      port,
      `GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\nGET /b HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(both.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(both.match(/hello/g)).toHaveLength(2);
  });
});

describe('a connection to an app', () => {
  it('is used again for the same visitor’s next page, for nobody else’s, and replaced when the app has closed it', async () => {
    const counted = await startApp((request, response) => {
      request.resume();
      response.end(String(request.socket.remotePort));
    });
    const other = await workspaceWithApps(server, {
      url,
      apps: [{ slug: 'web', subdomain: true, sharingLevel: 'public', url: `http://localhost:${counted.port}` }],
    });
    const get = async (key = '', method = 'GET'): Promise<string> => {
      const headers: Record<string, string> = key === '' ? {} : { 'service-session-token': key };
      const told = await ask({ port, host: other.hostOf('web'), method, headers });
      expect(told.status).toBe(200);
      return told.body;
    };
    const first = await get();
    expect(await get()).toBe(first);
    const owners = await get(other.key);
    expect(owners).not.toBe(first);
    expect(await get(other.key)).toBe(owners);
    // What may change something is never sent twice, so never over a connection that may be about to close.
    expect([first, owners]).not.toContain(await get(other.key, 'POST'));
    counted.server.closeIdleConnections();
    expect(await get()).not.toBe(first);
    counted.server.closeAllConnections();
    expect(await get(other.key)).not.toBe(owners);
  });
});

describe('an app that does not answer', () => {
  const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };

  it('is told of in a page for browsers, and as JSON for everything else', async () => {
    const told = await ask({ port, host, path: '/hangs-up', headers: page });
    expect(told.status).toBe(502);
    expect(told.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(told.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(told.body).toContain('The app does not answer');
    const json = await ask({ port, host, path: '/hangs-up' });
    expect(JSON.parse(json.body)).toMatchObject({ message: 'The app did not answer.', validations: [] });
  });

  it('because nothing listens, speaks no HTTP, or is another host, is said so', async () => {
    const { createServer } = await import('node:net');
    const deaf = createServer((socket) => void socket.end('SSH-2.0-x\r\n'));
    await new Promise<void>((resolve) => void deaf.listen(0, '127.0.0.1', resolve));
    const address = deaf.address();
    const deafPort = typeof address === 'object' && address !== null ? address.port : 0;
    const other = await workspaceWithApps(server, {
      url,
      apps: [
        { slug: 'closed', subdomain: true, sharingLevel: 'public', url: 'http://localhost:9' },
        { slug: 'deaf', subdomain: true, sharingLevel: 'public', url: `http://localhost:${deafPort}` },
        { slug: 'elsewhere', subdomain: true, sharingLevel: 'public', url: 'http://169.254.169.254/latest' },
        { slug: 'odd', subdomain: true, sharingLevel: 'public', url: 'file:///etc/passwd' },
      ],
    });
    for (const slug of ['closed', 'deaf', 'elsewhere', 'odd']) {
      expect((await ask({ port, host: other.hostOf(slug), headers: page })).status, slug).toBe(502);
    }
    deaf.close();
    await other.fake.disconnect();
    const away = await ask({ port, host: other.hostOf('deaf'), headers: page });
    expect(away).toMatchObject({ status: 502, headers: { refresh: '5' } });
    expect(away.body).toContain('The workspace is not connected');
  });

  it('because its workspace is stopped offers its owner to start it, and tells other visitors nothing', async () => {
    const other = await workspaceWithApps(server, { url, apps: [{ slug: 'web', subdomain: true, url: `http://localhost:${app.port}` }] });
    await other.rows.build({ workspace: other.workspace, templateVersionId: other.version.id, transition: 'stop' });
    const told = await ask({ port, host: other.hostOf('web'), headers: { ...page, 'service-session-token': other.key } });
    expect(told.status).toBe(400);
    expect(told.body).toContain('The workspace is stopped');
    const workspacePage = `http://berth.test/@${other.owner.username}/${other.workspace.name}`;
    expect(told.body).toContain(`href="${workspacePage}?start=true">Start ${other.workspace.name}…</a>`);
    expect(told.body).toContain(`href="${workspacePage}"`);
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(told.body) ?? [];
    expect(told.headers['content-security-policy']).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect((await ask({ port, host: other.hostOf('web') })).status).toBe(401);
    const stranger = await server.keyOf((await other.rows.user()).id);
    expect((await ask({ port, host: other.hostOf('web'), headers: { 'service-session-token': stranger } })).status).toBe(404);
  });
});
