import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';

import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

import { openTunnel, serveTunnel, TUNNEL_WEBSOCKET_OPTIONS, tunnelDialOptions, TunnelError } from './index.ts';
import type { KeepAliveOptions, PtyChannel, PtyRequest, TerminalSize, TunnelHandlers } from './index.ts';

const refused: TunnelHandlers = {
  pty: () => Promise.reject(new Error('no terminals here')),
  tcp: () => Promise.reject(new TunnelError('refused', 'Nothing listens on that port.')),
  listeningPorts: () => Promise.resolve([]),
};

const attachWith = (attach: (channel: PtyChannel) => void) => () => Promise.resolve(attach);

/** A tunnel over a real WebSocket on loopback. */
async function given(handlers: Partial<TunnelHandlers>, options: KeepAliveOptions = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...TUNNEL_WEBSOCKET_OPTIONS });
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const { port } = server.address() as AddressInfo;
  const address = `ws://127.0.0.1:${port}`;
  const agentSocket = new WebSocket(address, tunnelDialOptions(address));
  await once(agentSocket, 'open');
  const served = serveTunnel(agentSocket, { ...refused, ...handlers });
  const [serverSocket] = (await accepted) as [WebSocket];
  const tunnel = await openTunnel(serverSocket, options);
  onTestFinished(() => {
    tunnel.close();
    served.close();
    server.close();
  });
  return { tunnel, served, agentSocket, serverSocket };
}

const pty = { id: 'a', width: 80, height: 24, command: '' };

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const toEcho: TunnelHandlers['tcp'] = () => Promise.resolve(new PassThrough());

const toLoopback: TunnelHandlers['tcp'] = async (port) => {
  const socket = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
};

describe('terminals', () => {
  test('the agent is told which terminal, which size and which command', async () => {
    let seen: PtyRequest | undefined;
    const { tunnel } = await given({
      pty: (request) => {
        seen = request;
        return Promise.resolve((channel) => channel.finish({ exitCode: 0, signal: null }));
      },
    });
    const stream = await tunnel.openPty({ id: 'x&y', width: 120, height: 40, command: 'echo "ü" && ls' });
    await text(stream);
    expect(seen).toEqual({ id: 'x&y', width: 120, height: 40, command: 'echo "ü" && ls', isReadOnly: false });
  });

  test('bytes travel both ways, and the exit comes after all output', async () => {
    const { tunnel } = await given({
      pty: attachWith((channel) => {
        channel.once('data', (typed: Buffer) => {
          channel.write(`you typed ${typed.toString()}`);
          channel.finish({ exitCode: 7, signal: null });
        });
      }),
    });
    const stream = await tunnel.openPty(pty);
    stream.write('hello');
    expect(await text(stream)).toBe('you typed hello');
    expect(stream.exit).toEqual({ exitCode: 7, signal: null });
  });

  test('a resize reaches the agent between keystrokes', async () => {
    const { promise, resolve } = Promise.withResolvers<TerminalSize>();
    const { tunnel } = await given({
      pty: attachWith((channel) => {
        channel.once('resize', resolve);
        channel.resume();
      }),
    });
    const stream = await tunnel.openPty(pty);
    stream.write('a');
    stream.resize({ width: 200, height: 50 });
    stream.write('b');
    expect(await promise).toEqual({ width: 200, height: 50 });
  });

  test('a viewer that leaves closes its channel and nothing else', async () => {
    const channels: PtyChannel[] = [];
    const { tunnel } = await given({ pty: attachWith((channel) => channels.push(channel)) });
    const first = await tunnel.openPty(pty);
    const second = await tunnel.openPty(pty);
    const [left, stays] = channels;
    const gone = new Promise<void>((done) => left?.once('close', done));
    first.destroy();
    await gone;
    stays?.write('still here');
    const [chunk] = (await once(second, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('still here');
  });

  test('the reason of an agent that will not open a terminal is passed on', async () => {
    const { tunnel } = await given({});
    await expect(tunnel.openPty(pty)).rejects.toMatchObject({ code: 'rejected', message: 'no terminals here', kind: 'unavailable' });
  });

  test('an aborted request gives up, and the tunnel goes on', async () => {
    const { tunnel } = await given({ pty: () => new Promise(() => undefined) });
    const abort = new AbortController();
    const opening = tunnel.openPty({ ...pty, signal: abort.signal });
    abort.abort();
    await expect(opening).rejects.toMatchObject({ code: 'closed' });
    expect(await tunnel.ping()).toBeGreaterThanOrEqual(0);
  });
});

describe('flow control', () => {
  const chunk = Buffer.alloc(64 * 1024, 'x');

  test('a viewer that does not read stops the agent, and loses nothing', async () => {
    let written = 0;
    const total = 16 * 1024 * 1024;
    const { promise: stalled, resolve } = Promise.withResolvers<void>();
    const { tunnel } = await given({
      pty: attachWith((channel) => {
        const pump = (): void => {
          while (written < total) {
            written += chunk.length;
            if (!channel.write(chunk)) {
              channel.once('drain', pump);
              return;
            }
          }
          channel.finish({ exitCode: 0, signal: null });
        };
        pump();
        resolve();
      }),
    });
    const stream = await tunnel.openPty(pty);
    await stalled;
    // Round trips: whatever the window lets through has left by then.
    for (let i = 0; i < 5; i += 1) await tunnel.ping();
    expect(written).toBeLessThan(4 * 1024 * 1024);
    expect((await buffer(stream)).length).toBe(total);
    expect(stream.exit).toEqual({ exitCode: 0, signal: null });
  });

  test('an agent that does not read stops the writer', async () => {
    const { tunnel } = await given({ pty: attachWith(() => undefined) });
    const stream = await tunnel.openPty(pty);
    let isFull = false;
    for (let i = 0; i < 64 && !isFull; i += 1) isFull = !stream.write(chunk);
    expect(isFull).toBe(true);
    expect(stream.writableLength).toBeLessThan(1024 * 1024);
  });

  test('many stalled streams do not hold up another one', async () => {
    const { tunnel } = await given({
      pty: ({ id }) => Promise.resolve((channel) => Readable.from(id === 'small' ? ['quick'] : endless()).pipe(channel)),
    });
    function* endless() {
      for (let i = 0; i < 256; i += 1) yield chunk;
    }
    const stalled = await Promise.all(Array.from({ length: 40 }, (_, i) => tunnel.openPty({ ...pty, id: `big-${i}` })));
    expect(await text(await tunnel.openPty({ ...pty, id: 'small' }))).toBe('quick');
    for (const stream of stalled) stream.destroy();
  });

  test('two hundred streams carry their own bytes at once', async () => {
    const { tunnel } = await given({ pty: ({ id }) => Promise.resolve((channel) => Readable.from(Array(20).fill(id)).pipe(channel)) });
    const ids = Array.from({ length: 200 }, (_, i) => `stream-${i};`);
    const all = await Promise.all(ids.map(async (id) => text(await tunnel.openPty({ ...pty, id }))));
    expect(all).toEqual(ids.map((id) => id.repeat(20)));
  });
});

describe('ports', () => {
  test('a plain HTTP client talks through the tunnel', async () => {
    const app = http.createServer((request, response) => response.end(`you asked for ${request.url}`));
    const port = await listen(app);
    const { tunnel } = await given({ tcp: toLoopback });
    const socket = await tunnel.connectTcp(port);
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get({ path: '/index.html', createConnection: () => socket }, resolve).on('error', reject);
    });
    expect(await text(answer)).toBe('you asked for /index.html');
  });

  test('one side may end while the other still sends', async () => {
    const port = await listen(
      net.createServer({ allowHalfOpen: true }, (socket) => {
        void text(socket).then((said) => socket.end(`got ${said}`));
      }),
    );
    const { tunnel } = await given({ tcp: toLoopback });
    const socket = await tunnel.connectTcp(port);
    socket.end('all of it');
    expect(await text(socket)).toBe('got all of it');
  });

  test('an answer that is cut off is an error, not an end', async () => {
    const port = await listen(
      net.createServer({ allowHalfOpen: true }, (socket) => {
        socket.once('data', () => socket.write('half'));
        socket.once('end', () => socket.resetAndDestroy());
        socket.on('error', () => undefined);
      }),
    );
    const { tunnel } = await given({ tcp: toLoopback });
    const socket = await tunnel.connectTcp(port);
    socket.end('go');
    await expect(text(socket)).rejects.toBeInstanceOf(TunnelError);
  });

  test('a port where nothing listens is refused', async () => {
    const { tunnel } = await given({});
    await expect(tunnel.connectTcp(4)).rejects.toMatchObject({ code: 'refused' });
  });

  test('the listening ports are read, and rubbish is not', async () => {
    const ports = [{ process_name: 'node', network: 'tcp', port: 3000 } as const];
    const good = await given({ listeningPorts: () => Promise.resolve(ports) });
    expect(await good.tunnel.listeningPorts()).toEqual({ ports });
    const bad = await given({ listeningPorts: () => Promise.resolve([{ process_name: 'node', network: 'tcp', port: 0 }]) });
    await expect(bad.tunnel.listeningPorts()).rejects.toMatchObject({ code: 'protocol' });
  });
});

describe('the end of a tunnel', () => {
  test('a killed agent ends every stream with an error', async () => {
    const { tunnel, agentSocket } = await given({ pty: attachWith(() => undefined) });
    const streams = await Promise.all([1, 2, 3].map((n) => tunnel.openPty({ ...pty, id: String(n) })));
    const ends = Promise.allSettled(streams.map((stream) => finished(stream.resume())));
    agentSocket.terminate();
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(TunnelError) });
    await tunnel.closed;
    expect(tunnel.isClosed).toBe(true);
    await expect(tunnel.openPty(pty)).rejects.toMatchObject({ code: 'closed' });
  });

  test('a killed server closes every channel of the agent', async () => {
    const { promise, resolve } = Promise.withResolvers<PtyChannel>();
    const { tunnel, served, serverSocket } = await given({ pty: attachWith(resolve) });
    const stream = await tunnel.openPty(pty);
    stream.on('error', () => undefined);
    const channel = await promise;
    const gone = new Promise<void>((done) => channel.once('close', done));
    serverSocket.terminate();
    await gone;
    await served.closed;
    expect(served.stats().streams).toBe(0);
  });

  test('an oversize frame destroys its stream, and the tunnel goes on', async () => {
    const { tunnel } = await given({
      // An agent that is broken, or worse: the length of its frame is four gigabytes.
      pty: attachWith((channel) => {
        Reflect.get(channel, 'http2Stream').write(Buffer.from([1, 255, 255, 255, 255, 0, 0]));
      }),
    });
    const stream = await tunnel.openPty(pty);
    await expect(text(stream)).rejects.toMatchObject({ code: 'protocol' });
    expect(await tunnel.ping()).toBeGreaterThanOrEqual(0);
  });

  test('an agent that sends rubbish while we write to it closes the tunnel and nothing else', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    for (let round = 0; round < 10; round += 1) {
      const { tunnel, agentSocket } = await given({ tcp: toEcho });
      const streams = await Promise.all(Array.from({ length: 16 }, (_, i) => tunnel.connectTcp(i + 1)));
      // Nothing more is read by the agent, so our next writes stay under way.
      agentSocket.pause();
      for (const stream of streams) {
        for (let i = 0; i < 30; i += 1) stream.write(chunk);
      }
      setImmediate(() => agentSocket.send(Buffer.alloc(100 + round, 255)));
      expect(await tunnel.closed).toBeInstanceOf(Error);
      for (const stream of streams) expect(stream.destroyed).toBe(true);
    }
  });

  test('an agent that is silent for too long counts as gone', async () => {
    const { tunnel, agentSocket } = await given({}, { pingIntervalMs: 10, deadAfterMs: 50 });
    agentSocket.pause();
    expect(await tunnel.closed).toMatchObject({ code: 'timeout' });
  });

  test('a server may take its time before it takes the socket over', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const agentSocket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const opened = once(agentSocket, 'open').then(() => serveTunnel(agentSocket, refused));
    const [socket] = (await accepted) as [WebSocket];
    const served = await opened;
    // A round trip on the socket: whatever the agent had to say would have come and gone.
    socket.ping();
    await once(socket, 'pong');
    const tunnel = await openTunnel(socket);
    expect(await tunnel.listeningPorts()).toEqual({ ports: [] });
    tunnel.close();
    await served.closed;
    server.close();
  });

  test('an agent that never answers the handshake does not become a tunnel', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const silent = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [socket] = (await accepted) as [WebSocket];
    if (silent.readyState !== WebSocket.OPEN) await once(silent, 'open');
    const opening = openTunnel(socket);
    silent.terminate();
    await expect(opening).rejects.toMatchObject({ code: 'closed' });
    server.close();
  });
});
