import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { authChannel } from '@berth/api/server';
import { ByteSocket, ResumableHost, connectResumable } from '@berth/api/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connectFakeAgent } from '../testing/fake-agent.ts';
import { createTestServer } from '../testing/index.ts';
import { listen, liveWorkspace, upgrade } from '../testing/live.ts';

const server = await createTestServer();
const { prisma, bus, services } = server;
const { url } = await listen(server);
const MIB = 1024 * 1024;

const pathOf = (agentId: string, way: string): string => `/api/v2/workspaceagents/${agentId}/${way}`;

function socketTo(path: string, key: string): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: { 'service-session-token': key } });
}

async function open(path: string, key: string): Promise<ByteSocket> {
  const socket = socketTo(path, key);
  const bytes = new ByteSocket(socket);
  await once(socket, 'open');
  return bytes;
}

/** A TCP server in the workspace, which is this host. */
async function service(onConnection: (socket: Socket) => void): Promise<number> {
  const listening = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  afterAll(() => void listening.close());
  return (listening.address() as AddressInfo).port;
}

/** Everything up to the end, or whatever had come when the stream broke. */
function read(stream: Duplex): Promise<Buffer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    for (const end of ['end', 'close']) stream.once(end, () => resolve(Buffer.concat(pieces)));
  });
}

async function readText(stream: Duplex, until: string): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    stream.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes(until)) resolve(text);
    });
    stream.once('close', () => reject(new Error(`closed after ${text}: ${stream.errored?.message}`)));
  });
}

/** A hundred MiB that never repeat. */
async function writePattern(stream: Duplex, mebibytes: number): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < mebibytes; at += 1) {
    const chunk = Buffer.alloc(MIB, `${at} `);
    hash.update(chunk);
    if (!stream.write(chunk)) await once(stream, 'drain');
  }
  stream.end();
  return hash.digest('hex');
}

async function hashOf(stream: Duplex): Promise<string> {
  const hash = createHash('sha256');
  stream.on('data', (piece: Buffer) => hash.update(piece));
  await once(stream, 'end');
  return hash.digest('hex');
}

describe('a connection to a port of a workspace', () => {
  it('carries 100 MiB each way at the same time, byte for byte', async () => {
    const { agent, key } = await liveWorkspace(server, url);
    const there = Promise.withResolvers<string>();
    const back = Promise.withResolvers<string>();
    const port = await service((socket) => {
      hashOf(socket).then(there.resolve, there.reject);
      writePattern(socket, 100).then(back.resolve, back.reject);
    });
    const stream = await open(pathOf(agent.id, `tcp?port=${port}`), key);
    const got = hashOf(stream);
    expect(await writePattern(stream, 100)).toBe(await there.promise);
    expect(await got).toBe(await back.promise);
  }, 120_000);

  it('ends each direction alone, and closes normally after both', async () => {
    const { agent, key } = await liveWorkspace(server, url);
    const port = await service((socket) => {
      void read(socket).then((question) => socket.end(`${question.toString()} answered`));
    });
    const socket = socketTo(pathOf(agent.id, `tcp?port=${port}`), key);
    const closed = once(socket, 'close');
    const stream = new ByteSocket(socket);
    stream.end('question');
    expect((await read(stream)).toString()).toBe('question answered');
    expect((await closed)[0]).toBe(1000);
  });

  it('delivers what a client said last before it closed', async () => {
    const { agent, key } = await liveWorkspace(server, url);
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const port = await service((socket) => void read(socket).then(resolve));
    const socket = socketTo(pathOf(agent.id, `tcp?port=${port}`), key);
    await once(socket, 'open');
    const words = Buffer.alloc(3 * MIB, 'words');
    socket.send(words);
    socket.close(1000);
    expect((await promise).equals(words)).toBe(true);
  });

  it('says that nothing listens there', async () => {
    const { agent, key } = await liveWorkspace(server, url);
    const port = await service(() => undefined);
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const closedPort = (free.address() as AddressInfo).port;
    free.close();
    await once(free, 'close');
    const stream = await open(pathOf(agent.id, `tcp?port=${closedPort}`), key);
    await new Promise((resolve) => stream.once('close', resolve));
    expect(stream.errored?.message).toBeTruthy();
    expect(port).not.toBe(closedPort);
  });
});

describe('a connection to the SSH server of a workspace', () => {
  it('carries bytes, and tells the agent who was let in', async () => {
    const { agent, key, owner, fake } = await liveWorkspace(server, url);
    const stream = await open(pathOf(agent.id, 'ssh'), key);
    const text = readText(stream, 'hello');
    stream.write('hello');
    expect(await text).toBe('hello');
    expect(fake.connections).toEqual([{ stream: '', holder: owner.id }]);
    stream.destroy();
  });

  it('is noted as use of the workspace', async () => {
    const { agent, key, workspace, owner } = await liveWorkspace(server, url);
    const stream = await open(pathOf(agent.id, 'ssh'), key);
    const text = readText(stream, 'used');
    stream.write('used');
    await text;
    const { uses } = services.activity.take(1000);
    expect(uses.filter(({ workspaceId }) => workspaceId === workspace.id)).toMatchObject([{ userId: owner.id, app: 'ssh' }]);
    stream.destroy();
  });

  it('waits for an agent that is just coming back', async () => {
    const { agent, key, fake, token } = await liveWorkspace(server, url);
    await fake.disconnect();
    const stream = await open(pathOf(agent.id, 'ssh'), key);
    const text = readText(stream, 'early');
    stream.write('early');
    const back = await connectFakeAgent({ url, token });
    expect(await text).toBe('early');
    stream.destroy();
    await back.disconnect();
  });

  it('goes on over another carrier when one breaks or the agent connects anew', async () => {
    const { agent, key, token, fake } = await liveWorkspace(server, url);
    await fake.disconnect();
    const resumables = new ResumableHost({ graceMs: 60_000, maxStreams: 4 });
    afterAll(() => resumables.close());
    const first = await connectFakeAgent({ url, token, resumables });
    const sockets: WebSocket[] = [];
    const name = crypto.randomUUID();
    const stream = connectResumable({
      dial: async () => {
        const socket = socketTo(pathOf(agent.id, `ssh?stream=${name}`), key);
        sockets.push(socket);
        const carrier = new ByteSocket(socket);
        await once(socket, 'open');
        return carrier;
      },
      giveUpAfterMs: 30_000,
    });
    const all = readText(stream, 'three');
    stream.write('one ');
    await once(stream, 'carried');
    sockets[0]?.terminate();
    stream.write('two ');
    await once(stream, 'carried');
    await first.disconnect();
    stream.write('three');
    const second = await connectFakeAgent({ url, token, resumables });
    expect(await all).toBe('one two three');
    stream.end();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(stream.errored).toBeNull();
    await expect.poll(() => resumables.size).toBe(0);
    await second.disconnect();
  });
});

describe.each(['ssh', 'tcp?port=8080', `ssh?stream=${crypto.randomUUID()}`])('the door %s', (way) => {
  it('is refused before the upgrade: 400, 401, 403 for another site, 404 for who may not see it, 503 for an older build', async () => {
    const { rows, agent, key, workspace, version, organization } = await liveWorkspace(server, url);
    const outcome = async (path: string, headers: Record<string, string>): Promise<number | 'open'> => {
      const tried = await upgrade(`${url}${path}`, headers);
      tried.socket.terminate();
      return tried.outcome;
    };
    const path = pathOf(agent.id, way);
    const own = { 'service-session-token': key };
    expect(await outcome(path, own)).toBe('open');
    expect(await outcome(pathOf('not-a-uuid', way), own)).toBe(400);
    expect(await outcome(path, {})).toBe(401);
    const colleague = await rows.user({ memberOf: [organization.id] });
    expect(await outcome(path, { 'service-session-token': await server.keyOf(colleague.id) })).toBe(404);
    const templateAdmin = await rows.user({ siteRoles: ['template-admin'] });
    expect(await outcome(path, { 'service-session-token': await server.keyOf(templateAdmin.id) })).toBe(403);
    expect(await outcome(path, { cookie: `berth_session=${key}`, origin: 'https://evil.example.com' })).toBe(403);
    expect(await outcome(pathOf(crypto.randomUUID(), way), own)).toBe(404);
    for (const transition of ['stop', 'start']) await rows.build({ workspace, templateVersionId: version.id, transition });
    expect(await outcome(path, own)).toBe(503);
  });

  it('cuts off at once who was suspended, and says that they may not be there', async () => {
    const { agent, rows } = await liveWorkspace(server, url);
    // The workspace of a suspended owner loses its agent as well; here only the caller goes.
    const admin = await rows.user({ siteRoles: ['owner'] });
    const port = await service((socket) => void socket.pipe(socket));
    const socket = socketTo(pathOf(agent.id, way.replace('8080', String(port))), await server.keyOf(admin.id));
    const closed = once(socket, 'close');
    await once(socket, 'open');
    await expect.poll(() => services.activity.take(1000).uses.some(({ userId }) => userId === admin.id)).toBe(true);
    await prisma.user.update({ where: { id: admin.id }, data: { status: 'suspended' } });
    await bus.publish(prisma, authChannel, { user_id: admin.id });
    expect((await closed)[0]).toBe(1008);
  });
});

it.each(['ssh?stream=1', 'tcp', 'tcp?port=0', 'tcp?port=65536', 'tcp?port=22x'])('refuses %s', async (way) => {
  const { agent, key } = await liveWorkspace(server, url);
  expect((await upgrade(`${url}${pathOf(agent.id, way)}`, { 'service-session-token': key })).outcome).toBe(400);
});
