import { newId } from '@berth/core';
import type { Database } from '@berth/db';
import { migrate, openDatabase, recordCorrectTimes, repairTimes, acknowledgeTimes, requireCorrectTimes } from '@berth/db';
import { openClient } from '@berth/db/session';
import { createTestDatabaseUrl, given } from '@berth/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { sealAll } from './testing/rows.ts';
import { verifyAuditChain } from './verify.ts';

/** A database with another zone, and a client that leaves its sessions in that zone, as earlier versions did. */
async function affectedDatabase(zone: string): Promise<{ url: string; earlier: Database; now: Database }> {
  const url = await createTestDatabaseUrl();
  const admin = await openClient({ connectionString: url });
  await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = '${zone}'`);
  await admin.end();
  const earlier = openDatabase({ url, poolSize: 1 });
  earlier.pool.on('connect', (client) => void client.query(`SET TimeZone = '${zone}'`));
  const now = openDatabase({ url, poolSize: 1 });
  afterAll(async () => {
    await earlier.close();
    await now.close();
  });
  return { url, earlier, now };
}

const HOUR_MS = 3_600_000;
const base = Date.now();
const after = (hours: number): Date => new Date(base + hours * HOUR_MS);

/** What an earlier version leaves behind: rows of its client, and rows that raw SQL has touched since. */
async function writeAsEarlier({ prisma }: Database) {
  const rows = given(prisma);
  const user = await rows.user({ createdAt: after(0), updatedAt: after(0), lastSeenAt: after(0) });
  await prisma.auditLog.create({
    data: {
      id: newId(),
      userId: user.id,
      requestId: newId(),
      resourceType: 'user',
      resourceId: user.id,
      action: 'create',
      statusCode: 201,
    },
  });
  const key = (id: string) => ({
    id,
    userId: user.id,
    hashedSecret: new Uint8Array(32),
    loginType: 'password',
    lifetimeSeconds: 86_400n,
    createdAt: after(0),
    updatedAt: after(0),
    expiresAt: after(24),
    absoluteExpiresAt: after(720),
  });
  await prisma.apiKey.create({ data: key('unused-key') });
  await prisma.apiKey.create({ data: key('used--key-') });
  // As `touchKey` writes: the last use as the client sends it, the expiry computed from an instant with an offset.
  await prisma.$executeRaw`UPDATE api_keys SET last_used_at = ${after(2)}, updated_at = ${after(2)},
    expires_at = ${after(2).toISOString()}::timestamptz + lifetime_seconds * interval '1 second' WHERE id = 'used--key-'`;
  const { template, workspace: unused } = await rows.workspace({
    owner: user,
    createdAt: after(0),
    updatedAt: after(0),
    lastUsedAt: after(0),
  });
  const { workspace: used } = await rows.workspace({ owner: user, template, createdAt: after(0), updatedAt: after(0) });
  await prisma.$executeRaw`UPDATE workspaces SET last_used_at = ${after(3).toISOString()}::timestamptz WHERE id = ${used.id}::uuid`;
  for (const { id, ended } of [
    { id: unused.id, ended: 1 },
    { id: used.id, ended: 2 },
  ]) {
    await prisma.provisionerJob.updateMany({
      where: { build: { workspaceId: id } },
      data: { createdAt: after(0), completedAt: after(ended), updatedAt: after(ended) },
    });
    await prisma.$executeRaw`UPDATE provisioner_jobs SET started_at = ${after(0.5).toISOString()}::timestamptz
      WHERE id = (SELECT job_id FROM workspace_builds WHERE workspace_id = ${id}::uuid)`;
    const data = { createdAt: after(0), updatedAt: after(ended), deadline: after(9), maxDeadline: after(30), deadlineRule: 'ttl' };
    await prisma.workspaceBuild.updateMany({ where: { workspaceId: id }, data });
  }
  // As `bumpDeadlines` writes.
  await prisma.$executeRaw`UPDATE workspace_builds SET deadline = ${after(12).toISOString()}::timestamptz, deadline_rule = 'activity',
    updated_at = ${after(11).toISOString()}::timestamptz WHERE workspace_id = ${used.id}::uuid`;
  return { user, unused, used };
}

/** The instants of those rows, in hours after the first. */
async function read(
  { pool }: Database,
  { user, unused, used }: Awaited<ReturnType<typeof writeAsEarlier>>,
): Promise<Record<string, unknown>> {
  const hours = async (sql: string, id: string): Promise<unknown[]> => {
    const { rows } = await pool.query<(Date | null)[]>({ text: sql, values: [id], rowMode: 'array' });
    return (rows[0] ?? []).map((value) => (value === null ? null : (value.getTime() - base) / HOUR_MS));
  };
  const build = (id: string): Promise<unknown[]> =>
    hours(
      `SELECT b.created_at, j.created_at, j.started_at, j.completed_at, b.updated_at, b.deadline, b.max_deadline
       FROM workspace_builds b JOIN provisioner_jobs j ON j.id = b.job_id WHERE b.workspace_id = $1`,
      id,
    );
  const key = (id: string): Promise<unknown[]> =>
    hours('SELECT created_at, last_used_at, expires_at, absolute_expires_at FROM api_keys WHERE id = $1', id);
  return {
    user: await hours('SELECT created_at, updated_at, last_seen_at FROM users WHERE id = $1', user.id),
    unusedKey: await key('unused-key'),
    usedKey: await key('used--key-'),
    unusedWorkspace: await hours('SELECT created_at, last_used_at FROM workspaces WHERE id = $1', unused.id),
    usedWorkspace: await hours('SELECT created_at, last_used_at FROM workspaces WHERE id = $1', used.id),
    unusedBuild: await build(unused.id),
    usedBuild: await build(used.id),
  };
}

const RIGHT = {
  user: [0, 0, 0],
  unusedKey: [0, null, 24, 720],
  usedKey: [0, 2, 26, 720],
  unusedWorkspace: [0, 0],
  usedWorkspace: [0, 3],
  unusedBuild: [0, 0, 0.5, 1, 1, 9, 30],
  usedBuild: [0, 0, 0.5, 2, 11, 12, 30],
};

describe.each(['Asia/Tokyo', 'Pacific/Honolulu', 'Asia/Kathmandu'])('the timestamps that an earlier version wrote in %s', async (zone) => {
  const { url, earlier, now } = await affectedDatabase(zone);
  const written = await writeAsEarlier(earlier);
  await sealAll(now.prisma);

  it('keep this version from starting, with a sentence that names the command', async () => {
    await expect(requireCorrectTimes(url)).rejects.toThrow(new RegExp(`time zone of the database is ${zone}.*database:repair-times`));
  });

  it('are not changed by a dry run, which says what would be', async () => {
    const wrong = await read(now, written);
    expect(wrong).not.toEqual(RIGHT);
    const { columns, evidence, zone: found } = await repairTimes({ url, isApplied: false });
    expect({ found, evidence }).toEqual({ found: zone, evidence: { before: 0, after: 1 } });
    expect(columns.find(({ column }) => column === 'api_keys.expires_at')).toMatchObject({ rows: 1 });
    expect(await read(now, written)).toEqual(wrong);
  });

  it('are not repaired while a server uses the database, for a wrong zone, or for one that does not exist', async () => {
    const id = newId();
    await now.prisma.$executeRaw`INSERT INTO replicas (id, hostname, relay_address, version) VALUES (${id}::uuid, 'berth-1', '', 'v0')`;
    await expect(repairTimes({ url, isApplied: true })).rejects.toThrow('A server on berth-1 uses the database');
    await now.prisma.$executeRaw`DELETE FROM replicas WHERE id = ${id}::uuid`;
    await expect(repairTimes({ url, isApplied: true, zone: 'Etc/UTC' })).rejects.toThrow('The time zone Etc/UTC is UTC');
    await expect(repairTimes({ url, isApplied: true, zone: 'Mars/Base' })).rejects.toThrow('Unknown time zone "Mars/Base"');
  });

  it('are repaired once, those of raw SQL stay as they were, and the audit log stays unbroken', async () => {
    await repairTimes({ url, isApplied: true });
    expect(await read(now, written)).toEqual(RIGHT);
    await expect(repairTimes({ url, isApplied: true })).rejects.toThrow('already repaired');
    await expect(repairTimes({ url, isApplied: false })).rejects.toThrow('already repaired');
    expect(await read(now, written)).toEqual(RIGHT);
    expect(await verifyAuditChain({ prisma: now.prisma })).toMatchObject({ ok: true, rows: 1n });
    await requireCorrectTimes(url);
  });
});

it('rows that have the right time already are not repaired by mistake', async () => {
  const { url, now } = await affectedDatabase('Asia/Tokyo');
  const written = await writeAsEarlier(now);
  await expect(repairTimes({ url, isApplied: true })).rejects.toThrow(
    'The audit log does not confirm that everything was written in Asia/Tokyo',
  );
  expect(await read(now, written)).toEqual(RIGHT);
});

it('an administrator can say that nothing needs repair', async () => {
  const { url, earlier, now } = await affectedDatabase('Asia/Tokyo');
  const written = await writeAsEarlier(earlier);
  const wrong = await read(now, written);
  await acknowledgeTimes(url);
  await requireCorrectTimes(url);
  await expect(repairTimes({ url, isApplied: true })).rejects.toThrow('already acknowledged');
  expect(await read(now, written)).toEqual(wrong);
});

it('a new database and one of this version may have any zone, and cannot be repaired', async () => {
  const url = await createTestDatabaseUrl({ isEmpty: true });
  const admin = await openClient({ connectionString: url });
  await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
  await admin.end();
  await requireCorrectTimes(url);
  await expect(repairTimes({ url, isApplied: true })).rejects.toThrow('nothing to repair');
  await migrate({ url });
  await requireCorrectTimes(url);
  await recordCorrectTimes(url);
  const { prisma, close } = openDatabase({ url, poolSize: 1 });
  await given(prisma).user();
  await close();
  await requireCorrectTimes(url);
  await expect(repairTimes({ url, isApplied: true })).rejects.toThrow('need no repair');
});
