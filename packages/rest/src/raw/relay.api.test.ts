import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Services } from '@berth/api/server';
import { RELAY_HEADER, createTunnelRegistry, registerReplica, relayPath } from '@berth/api/server';
import { ByteSocket, ResumableHost, connectResumable, giveSignsOfLife, signRelayRequest } from '@berth/api/testing';
import { newId } from '@berth/core';
import { afterAll, describe, expect, it } from 'vitest';
import type { RawData } from 'ws';
import { WebSocket } from 'ws';
import { createHttpServer } from '../server.ts';
import { connectFakeAgent } from '../testing/fake-agent.ts';
import { createTestServer } from '../testing/index.ts';
import { liveWorkspace, textOf, upgrade } from '../testing/live.ts';

const server = await createTestServer();
const { prisma, clock } = server;

interface Replica {
  readonly id: string;
  readonly url: string;
  readonly services: Services;
}

/** A server process of the same deployment: the same database and key, its own tunnels and door. */
async function replica(name: string): Promise<Replica> {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  listening.close();
  await once(listening, 'close');
  const url = `http://127.0.0.1:${port}`;
  const settings = { ...server.services.settings, replica: { id: newId(), hostname: name, relayUrl: url } };
  const services: Services = { ...server.services, settings, tunnels: createTunnelRegistry({ ...server.services, settings }) };
  const app = await createHttpServer({ services });
  await app.listen({ host: '127.0.0.1', port });
  const signs = giveSignsOfLife(services);
  afterAll(async () => {
    await signs.stop();
    await app.close();
    await services.tunnels.closeAll();
  });
  await registerReplica(services);
  return { id: settings.replica.id, url, services };
}

const [here, there] = await Promise.all([replica('here'), replica('there')]);

/** A workspace whose agent hangs on a replica. */
async function workspaceAt({ url }: Replica) {
  return liveWorkspace(server, url);
}

const holderOf = async (agentId: string): Promise<string | null> =>
  (await prisma.workspaceAgent.findUniqueOrThrow({ where: { id: agentId } })).replicaId;

function socketTo({ url }: Replica, path: string, key: string): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}/api/v2${path}`, { headers: { 'service-session-token': key } });
}

async function echoed(stream: ByteSocket, text: string): Promise<void> {
  let got = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stream.on('data', (piece: Buffer) => {
    got += piece.toString();
    if (got.endsWith(text)) resolve();
  });
  stream.once('close', () => reject(new Error(`closed after ${got}: ${stream.errored?.message}`)));
  stream.write(text);
  await promise;
  stream.removeAllListeners('data');
}

describe('through a replica that does not hold the agent', () => {
  it('a terminal has its size, its input, its output and its end', async () => {
    const { agent, key, fake } = await workspaceAt(there);
    const socket = socketTo(here, `/workspaceagents/${agent.id}/pty?reconnect=${newId()}&width=120&height=40`, key);
    let text = '';
    const heard = new Promise<void>((resolve) => {
      socket.on('message', (data: RawData) => {
        text += textOf(data);
        if (text.includes('HELLO')) resolve();
      });
    });
    await once(socket, 'open');
    socket.send('{"width": 99, "height": 33}');
    socket.send('{"data": "hello"}');
    await heard;
    expect(text).toBe('120x40 99x33 HELLO');
    expect(fake.terminals).toHaveLength(1);
    const closed = once(socket, 'close');
    socket.send('{"data": "exit"}');
    const [code, reason] = await closed;
    expect([code, JSON.parse(String(reason))]).toEqual([1000, { message: 'The shell exited with code 0.', exit_code: 0, signal: null }]);
  });

  it('SSH and ports carry bytes, one way ending before the other', async () => {
    const { agent, key, owner, fake } = await workspaceAt(there);
    const stream = new ByteSocket(socketTo(here, `/workspaceagents/${agent.id}/ssh`, key));
    await echoed(stream, 'ssh');
    expect(fake.connections).toEqual([{ stream: '', holder: owner.id }]);
    stream.destroy();

    const total = 20 * 1024 * 1024;
    const service = createServer({ allowHalfOpen: true }, (socket) => {
      let bytes = 0;
      socket.on('data', (piece: Buffer) => (bytes += piece.length));
      socket.on('end', () => socket.end(String(bytes)));
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    afterAll(() => void service.close());
    const port = (service.address() as AddressInfo).port;
    const tcp = new ByteSocket(socketTo(here, `/workspaceagents/${agent.id}/tcp?port=${port}`, key));
    let answer = '';
    tcp.on('data', (piece: Buffer) => (answer += piece.toString()));
    tcp.end(Buffer.alloc(total));
    await once(tcp, 'end');
    expect(answer).toBe(String(total));
  });

  it('an app answers, and listening ports are told', async () => {
    const { agent, key, appPath } = await workspaceAt(there);
    const headers = { 'service-session-token': key };
    const answer = await fetch(`${here.url}${appPath}hello`, { method: 'POST', body: 'body', headers });
    expect([answer.status, await answer.json()]).toMatchObject([201, { method: 'POST', body: 'body' }]);
    await expect.poll(() => holderOf(agent.id)).toBe(there.id);
    const ports = await fetch(`${here.url}/api/v2/workspaceagents/${agent.id}/listening-ports`, { headers });
    expect(await ports.json()).toMatchObject({ ports: [{ port: 8080 }] });
  });

  it('everything ends with the agent’s tunnel, at once', async () => {
    const { agent, key, fake } = await workspaceAt(there);
    const socket = socketTo(here, `/workspaceagents/${agent.id}/ssh`, key);
    const stream = new ByteSocket(socket);
    await echoed(stream, 'one');
    const closed = once(socket, 'close');
    await fake.disconnect();
    expect((await closed)[0]).toBe(1011);
    await expect.poll(() => holderOf(agent.id)).toBeNull();
  });
});

describe('an agent that moves from one replica to another', () => {
  it('hangs on the one where it came last, and is reached there through both', async () => {
    const { agent, token, key } = await workspaceAt(here);
    await expect.poll(() => holderOf(agent.id)).toBe(here.id);
    const moved = await connectFakeAgent({ url: there.url, token });
    await expect.poll(() => here.services.tunnels.get(agent.id)).toBeUndefined();
    expect(there.services.tunnels.get(agent.id)).toBeDefined();
    expect(await holderOf(agent.id)).toBe(there.id);
    for (const each of [here, there]) {
      const stream = new ByteSocket(socketTo(each, `/workspaceagents/${agent.id}/ssh`, key));
      await echoed(stream, 'hello');
      stream.destroy();
    }
    expect(moved.connections).toHaveLength(2);
    const back = await connectFakeAgent({ url: here.url, token });
    await expect.poll(() => there.services.tunnels.get(agent.id)).toBeUndefined();
    const stream = new ByteSocket(socketTo(there, `/workspaceagents/${agent.id}/ssh`, key));
    await echoed(stream, 'again');
    stream.destroy();
    expect(back.connections).toHaveLength(1);
  });

  it('is found by who already waits for it at the other', async () => {
    const { agent, token, key, fake } = await workspaceAt(here);
    await fake.disconnect();
    const stream = new ByteSocket(socketTo(here, `/workspaceagents/${agent.id}/ssh`, key));
    const echo = echoed(stream, 'waited');
    await connectFakeAgent({ url: there.url, token });
    await echo;
    stream.destroy();
  });

  it('takes its resumable connections along', async () => {
    const { agent, token, key, fake } = await workspaceAt(here);
    await fake.disconnect();
    const resumables = new ResumableHost({ graceMs: 60_000, maxStreams: 4 });
    afterAll(() => resumables.close());
    const first = await connectFakeAgent({ url: here.url, token, resumables });
    const name = newId();
    const stream = connectResumable({
      dial: async () => new ByteSocket(socketTo(there, `/workspaceagents/${agent.id}/ssh?stream=${name}`, key)),
      giveUpAfterMs: 30_000,
    });
    let got = '';
    stream.on('data', (piece: Buffer) => (got += piece.toString()));
    stream.write('one ');
    await expect.poll(() => got).toBe('one ');
    await connectFakeAgent({ url: there.url, token, resumables });
    stream.write('two');
    await expect.poll(() => got).toBe('one two');
    expect(resumables.size).toBe(1);
    stream.destroy();
    await first.disconnect();
  });

  it('is reached once it comes back, when its row still names a replica that was killed', async () => {
    const { agent, token, key, fake } = await workspaceAt(here);
    await fake.disconnect();
    await expect.poll(() => holderOf(agent.id)).toBeNull();
    const killed = newId();
    await prisma.replica.create({ data: { id: killed, hostname: 'killed', relayAddress: 'http://127.0.0.1:9', version: 'v0' } });
    await prisma.workspaceAgent.update({ where: { id: agent.id }, data: { replicaId: killed } });
    const stream = new ByteSocket(socketTo(here, `/workspaceagents/${agent.id}/ssh`, key));
    const echo = echoed(stream, 'back');
    await connectFakeAgent({ url: there.url, token });
    await echo;
    stream.destroy();
  });
});

describe('the door between replicas', () => {
  const sign = (agentId: string, to: string, at = clock.now()): Record<string, string> => ({
    [RELAY_HEADER]: signRelayRequest({ agentId, from: newId(), to }, server.services.settings, at),
  });
  const outcome = async (agentId: string, headers: Record<string, string>, { url }: { url: string } = there): Promise<number | 'open'> => {
    const tried = await upgrade(`${url}${relayPath(agentId)}`, headers);
    tried.socket.terminate();
    return tried.outcome;
  };

  it('opens for what the deployment’s key has signed, once', async () => {
    const { agent } = await workspaceAt(there);
    const headers = sign(agent.id, there.id);
    expect(await outcome(agent.id, headers)).toBe('open');
    expect(await outcome(agent.id, headers)).toBe(401);
  });

  it('is shut for forged, expired and other signatures, for people and agents, and for browsers', async () => {
    const [{ agent, key, token }, other] = [await workspaceAt(there), await workspaceAt(there)];
    const admin = await server.keyOf((await other.rows.user({ siteRoles: ['owner'] })).id);
    const foreign = signRelayRequest(
      { agentId: agent.id, from: here.id, to: there.id },
      { deploymentKey: new Uint8Array(32).fill(1) },
      clock.now(),
    );
    const refused: Record<string, Record<string, string>> = {
      nothing: {},
      'the owner’s key': { 'service-session-token': key },
      'an administrator’s key': { 'service-session-token': admin },
      'a session cookie': { cookie: `berth_session=${key}` },
      'the agent’s token': { 'service-session-token': token },
      nonsense: { [RELAY_HEADER]: 'nonsense' },
      'another key': { [RELAY_HEADER]: foreign },
      'another agent': sign(other.agent.id, there.id),
      'another replica': sign(agent.id, here.id),
      'the past': sign(agent.id, there.id, new Date(clock.now().getTime() - 31_000)),
      'the future': sign(agent.id, there.id, new Date(clock.now().getTime() + 31_000)),
      'a browser': { ...sign(agent.id, there.id), origin: there.url },
    };
    for (const [what, headers] of Object.entries(refused)) expect(await outcome(agent.id, headers), what).toBe(401);
    expect(await outcome('not-a-uuid', sign(agent.id, there.id))).toBe(401);
    expect((await fetch(`${there.url}${relayPath(agent.id)}`)).status).toBe(401);
    expect((await fetch(`${there.url}${relayPath(agent.id)}`, { headers: { 'service-session-token': admin } })).status).toBe(426);
  });

  it('knows only agents that hang on this very replica, so that no request goes round', async () => {
    const { agent } = await workspaceAt(here);
    expect(await outcome(agent.id, sign(agent.id, there.id))).toBe(404);
    expect(await outcome(newId(), sign(newId(), there.id))).toBe(401);
  });
});

it('the end of a tunnel at one replica says nothing of a newer one at another', async () => {
  const { agent, token, fake } = await workspaceAt(here);
  await connectFakeAgent({ url: there.url, token });
  await expect.poll(() => holderOf(agent.id)).toBe(there.id);
  await fake.disconnect();
  await here.services.tunnels.closeAll();
  expect(await holderOf(agent.id)).toBe(there.id);
});
