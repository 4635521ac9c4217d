import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Services } from '../kernel/context.ts';
import { createTestApi } from '../testing/index.ts';
import { beatReplica, registerReplica, stopReplica } from './heartbeat.ts';

const { prisma, services, callAsUser } = await createTestApi();
const admin = await given(prisma).user({ siteRoles: ['owner'] });
const list = () => callAsUser(admin.id).replicas.list({});

/** Another server process on the same database. */
function replica(hostname: string, relayUrl = ''): Services {
  return { ...services, settings: { ...services.settings, replica: { id: newId(), hostname, relayUrl } } };
}

async function listening(): Promise<string> {
  const server = createServer((_, response) => response.end('OK'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

beforeEach(async () => {
  await prisma.replica.deleteMany();
});

describe('replicas', () => {
  it('stand in the list from their first sign of life until they stop or fall silent', async () => {
    const [first, second, third] = [replica('one', 'http://one:3000'), replica('two'), replica('three')];
    for (const each of [first, second, third]) await registerReplica(each);
    expect((await list()).map(({ hostname }) => hostname)).toEqual(['one', 'two', 'three']);
    expect((await list())[0]).toEqual({
      id: first.settings.replica.id,
      hostname: 'one',
      created_at: expect.any(String),
      relay_address: 'http://one:3000',
      region_id: 0,
      error: '',
      database_latency: expect.any(Number),
    });
    await stopReplica(second);
    await prisma.replica.update({ where: { id: third.settings.replica.id }, data: { updatedAt: secondsAgo(16) } });
    expect((await list()).map(({ hostname }) => hostname)).toEqual(['one']);
  });

  it('take the place of what was killed at their address', async () => {
    const [killed, other, anew] = [replica('here', 'http://here:3000'), replica('other'), replica('here', 'http://here:3000')];
    for (const each of [killed, other, replica('mute'), anew]) await registerReplica(each);
    expect((await list()).map(({ hostname }) => hostname)).toEqual(['other', 'mute', 'here']);
    await beatReplica(killed);
    expect(await list()).toHaveLength(4);
  });

  it('say which of the others they cannot reach', async () => {
    const here = replica('here', await listening());
    const there = replica('there', await listening());
    const away = replica('away', 'http://127.0.0.1:9');
    const mute = replica('mute');
    for (const each of [here, there]) await registerReplica(each);
    await beatReplica(here);
    expect((await list()).map(({ error }) => error)).toEqual(['', '']);
    for (const each of [away, mute]) await registerReplica(each);
    for (const each of [here, mute]) await beatReplica(each);
    const errors = Object.fromEntries((await list()).map(({ hostname, error }) => [hostname, error]));
    expect(errors['here']).toBe('Not reached: away (http://127.0.0.1:9), mute (no relay address).');
    expect(errors['mute']).toBe('The other replicas cannot reach this one: it has no relay address.');
    for (const each of [away, mute]) await stopReplica(each);
    await beatReplica(here);
    expect((await list())[0]?.error).toBe('');
  });

  it('come back when they were forgotten, and are forgotten when they have been gone for an hour', async () => {
    const here = replica('here');
    const gone = replica('gone');
    for (const each of [here, gone]) await registerReplica(each);
    await prisma.replica.update({ where: { id: gone.settings.replica.id }, data: { updatedAt: secondsAgo(3700) } });
    await prisma.replica.delete({ where: { id: here.settings.replica.id } });
    await beatReplica(here);
    expect(await prisma.replica.findMany({ select: { hostname: true } })).toEqual([{ hostname: 'here' }]);
  });
});
