import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openBus } from './bus.ts';
import { openDatabase } from './client.ts';
import { migrate } from './migrate.ts';
import { openClient, openFirstClient } from './session.ts';
import { createTestDatabaseUrl } from './testing/index.ts';

const url = await createTestDatabaseUrl();
const database = new URL(url).pathname.slice(1);
const owner = await openClient({ connectionString: url });
for (const setting of ["timezone = 'Asia/Tokyo'", "datestyle = 'SQL, DMY'", "intervalstyle = 'sql_standard'", "bytea_output = 'escape'"]) {
  await owner.query(`ALTER DATABASE ${database} SET ${setting}`);
}
afterAll(() => owner.end());

test('an instant is the same through the client, in SQL and as the driver reads it, whatever the zone and formats of the database', async () => {
  const { prisma, pool, close } = openDatabase({ url, poolSize: 2 });
  const id = randomUUID();
  const instant = '2026-03-29T01:30:00.123Z';
  await prisma.organization.create({ data: { id, name: 'org', displayName: 'org', createdAt: instant } });
  const read = await prisma.organization.findUniqueOrThrow({ where: { id }, select: { createdAt: true } });
  const raw = await prisma.$queryRaw<unknown[]>`
    SELECT created_at AS instant, extract(epoch FROM created_at)::float8 AS seconds, created_at = ${new Date(instant)} AS same FROM organizations
    WHERE id = ${id}::uuid`;
  const { rows } = await pool.query('SELECT created_at AS instant, created_at::text AS text FROM organizations WHERE id = $1', [id]);
  await close();
  expect(read.createdAt).toEqual(new Date(instant));
  expect(raw).toEqual([{ instant: new Date(instant), seconds: Date.parse(instant) / 1000, same: true }]);
  expect(rows).toEqual([{ instant: new Date(instant), text: '2026-03-29 01:30:00.123+00' }]);
});

test('what the database itself writes as now is now, as the client reads it', async () => {
  const { prisma, close } = openDatabase({ url, poolSize: 1 });
  const before = Date.now();
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  await close();
  expect(row?.now.getTime()).toBeGreaterThanOrEqual(before - 1000);
  expect(row?.now.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
});

test('a connection whose session does not keep the settings is refused, with the reason and the remedy', async () => {
  const pooler = await startPooler();
  const message =
    'The database does not keep the session settings of Berth: TimeZone is "GMT" instead of "UTC". ' +
    'Connect to PostgreSQL directly, or through a pooler in session mode (pool_mode = session in PgBouncer).';
  await expect(openClient({ connectionString: pooler })).rejects.toThrow(message);
  await expect(migrate({ url: pooler })).rejects.toThrow(message);
  await expect(openBus({ url: pooler })).rejects.toThrow(message);
  const { pool, close } = openDatabase({ url: pooler });
  await expect(pool.query('SELECT 1')).rejects.toThrow(message);
  await close();
});

test('a start does not wait forever for a database that accepts a connection and says nothing', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  afterAll(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  await expect(openFirstClient(`postgresql://berth:secret@127.0.0.1:${port}/berth`, 'test', 50)).rejects.toThrow(
    /^The database berth on 127\.0\.0\.1:\d+ cannot be reached: .*timeout/,
  );
});

/** Stands in for a pooler that has a mind of its own about the time zone. */
async function startPooler(): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on('data', (bytes) =>
      upstream.write(Buffer.from(bytes.toString('latin1').replace("TimeZone = 'UTC'", "TimeZone = 'GMT'"), 'latin1')),
    );
    upstream.pipe(client);
    client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
    upstream.on('close', () => client.destroy()).on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return through.href;
}
