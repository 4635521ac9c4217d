import { registerReplica } from '@berth/api/server';
import { hashPasswordForTest } from '@berth/api/testing';
import { given } from '@berth/testing';
import { afterEach, expect, test } from 'vitest';
import { createTestServer } from '../testing/index.ts';

const PASSWORD = 'correct horse battery staple';
const disk = { freeBytes: 2 ** 39 };
const server = await createTestServer({
  services: { disk: { folder: '/data', space: async () => ({ totalBytes: 2 ** 40, freeFiles: null, ...disk }) } },
});
const make = given(server.prisma);
await registerReplica(server.services);

const probe = async (url: string) => {
  const { statusCode, body } = await server.app.inject({ url });
  return { status: statusCode, body };
};

/** Makes PostgreSQL answer writes to a table as it does on a full disk. */
async function whileFull(table: string, work: () => Promise<void>): Promise<void> {
  await server.prisma.$executeRawUnsafe(`
    CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$`);
  await server.prisma.$executeRawUnsafe(
    `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION disk_full()`,
  );
  try {
    await work();
  } finally {
    await server.prisma.$executeRawUnsafe(`DROP TRIGGER disk_full ON ${table}`);
  }
}

afterEach(() => {
  disk.freeBytes = 2 ** 39;
  server.clock.advance(60_000);
});

test('a server that can do its work is alive and ready', async () => {
  expect(await probe('/healthz')).toEqual({ status: 200, body: 'OK' });
  expect(await probe('/livez')).toEqual({ status: 200, body: 'OK' });
});

test('a full disk makes a server unready, with the reason and no name of a folder, but not dead', async () => {
  disk.freeBytes = 0;
  const { status, body } = await probe('/healthz');
  expect({ status, body: JSON.parse(body) }).toEqual({
    status: 503,
    body: { message: 'The disk of the data folder is full.', detail: 'EDISK02', validations: [] },
  });
  expect(await probe('/livez')).toEqual({ status: 200, body: 'OK' });
});

test('a database that cannot write makes a server unready, with the reason', async () => {
  await whileFull('replicas', async () => {
    const { status, body } = await probe('/healthz');
    expect({ status, body: JSON.parse(body) }).toMatchObject({
      status: 503,
      body: { detail: 'EDB03', message: expect.stringContaining('disk space') },
    });
  });
});

test('signing in on a full disk answers 503 with the reason, on both transports', async () => {
  const user = await make.user({ passwordHash: await hashPasswordForTest(PASSWORD) });
  const payload = JSON.stringify({ email: user.email, password: PASSWORD });
  await whileFull('api_keys', async () => {
    const rest = await server.app.inject({ method: 'POST', url: '/api/v2/users/login', payload });
    const rpc = await server.app.inject({
      method: 'POST',
      url: '/api/rpc/auth.login',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    for (const { statusCode, body } of [rest, rpc]) {
      expect(statusCode).toBe(503);
      expect(body).toContain('The database has no disk space left.');
    }
  });
});
