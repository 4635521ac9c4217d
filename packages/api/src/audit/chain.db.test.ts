import { newId } from '@berth/core';
import { Prisma } from '@berth/db';
import { createTestDatabase } from '@berth/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { sealAuditRows, tidyAuditQueue } from './sealer.ts';
import { auditRow, sealAll } from './testing/rows.ts';
import { verifyAuditChain } from './verify.ts';

const { prisma, pool } = await createTestDatabase();

beforeEach(async () => {
  await prisma.$executeRaw`TRUNCATE audit_logs, audit_pending, audit_chain_links, audit_counts`;
});

async function writeRows(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) =>
    auditRow({
      organizationId: newId(),
      userId: newId(),
      ip: '192.0.2.1',
      userAgent: 'agent “€”',
      resourceTarget: `row-${i}`,
      resourceIcon: '/icon',
      diff: { name: { old: '', new: `row-${i}`, secret: false } },
      additionalFields: { number: i },
      buildReason: 'initiator',
    }),
  );
  await prisma.auditLog.createMany({ data: rows });
  return rows.map((row) => row.id);
}

/** Runs `tamper` as someone with the database in their hands. */
async function tampered(tamper: Prisma.Sql): Promise<void> {
  expect(await prisma.$executeRaw(tamper)).toBeGreaterThan(0);
}

describe('the hash chain', () => {
  it('covers every row once, in the order of writing, and verifies', async () => {
    const ids = await writeRows(25);
    expect(await sealAll(prisma)).toBe(25);
    const links = await prisma.auditChainLink.findMany({ orderBy: { position: 'asc' }, select: { position: true, auditLogId: true } });
    expect(links.map((link) => link.auditLogId)).toEqual(ids);
    expect(links.map((link) => Number(link.position))).toEqual(ids.map((_, i) => i + 1));
    const verdict = await verifyAuditChain({ prisma });
    expect(verdict).toMatchObject({ ok: true, rows: 25n, waiting: 0 });
  });

  it('goes on from batch to batch', async () => {
    await writeRows(7);
    await sealAll(prisma);
    await writeRows(3);
    while ((await sealAuditRows({ prisma }, { limit: 2 })).isBehind);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: true, rows: 10n });
  });

  it('is sealed by one of several processes at a time, and each row once', async () => {
    await writeRows(300);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 20; i += 1) await sealAuditRows({ prisma }, { limit: 10 });
      }),
    );
    await sealAll(prisma);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: true, rows: 300n, waiting: 0 });
  });

  it('takes a row only when no earlier transaction can still add one before it', async () => {
    const early = await pool.connect();
    const late = await pool.connect();
    try {
      await early.query('BEGIN');
      await early.query('SELECT pg_current_xact_id()');
      await late.query('BEGIN');
      const second = auditRow({ resourceTarget: 'second' });
      await late.query(INSERT, values(second));
      await late.query('COMMIT');

      const held = await sealAuditRows({ prisma });
      expect(held).toMatchObject({ sealed: 0, isBehind: true });

      const first = auditRow({ resourceTarget: 'first' });
      await early.query(INSERT, values(first));
      await early.query('COMMIT');
      await sealAll(prisma);
      const links = await prisma.auditChainLink.findMany({ orderBy: { position: 'asc' } });
      expect(links.map((link) => link.auditLogId)).toEqual([first.id, second.id]);
    } finally {
      early.release();
      late.release();
    }
  });

  it('loses no row of many transactions that commit in any order while it is sealed', async () => {
    let isWriting = true;
    const sealing = (async () => {
      while (isWriting) await sealAuditRows({ prisma }, { limit: 7 });
    })();
    await Promise.all(
      Array.from({ length: 3 }, async (_, writer) => {
        for (let i = 0; i < 15; i += 1) {
          const fails = (writer + i) % 5 === 0;
          await prisma
            .$transaction(async (db) => {
              await db.auditLog.create({ data: auditRow({ resourceTarget: `${writer}-${i}-a` }) });
              await db.auditLog.create({ data: auditRow({ resourceTarget: `${writer}-${i}-b` }) });
              if (fails) throw new Error('rolled back');
            })
            .catch(() => undefined);
        }
      }),
    );
    isWriting = false;
    await sealing;
    await sealAll(prisma);
    const count = await prisma.auditLog.count();
    expect(count).toBe(3 * 15 * 2 - 9 * 2);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: true, rows: BigInt(count), waiting: 0 });
    const sums = await prisma.auditCount.aggregate({ where: { facet: 0 }, _sum: { count: true } });
    expect(sums._sum.count).toBe(BigInt(count));
  });

  it('seals rows of a database that was restored into a cluster with younger transactions', async () => {
    await writeRows(2);
    await prisma.$executeRaw`UPDATE audit_pending SET transaction_id = transaction_id + 1000000000000`;
    await writeRows(2);
    await sealAll(prisma);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: true, rows: 4n });
  });
});

describe('the queue', () => {
  it('gives its space back after a great many rows at once', async () => {
    await prisma.$executeRaw`
      INSERT INTO audit_logs (id, request_id, resource_type, resource_id, action, status_code)
      SELECT gen_random_uuid(), gen_random_uuid(), 'user', gen_random_uuid(), 'create', 201 FROM generate_series(1, 20000)`;
    await sealAll(prisma);
    const bytes = async () =>
      (await prisma.$queryRaw<{ bytes: bigint }[]>`SELECT pg_relation_size('audit_pending') AS bytes`)[0]?.bytes ?? 0n;
    expect(await bytes()).toBeGreaterThan(1_000_000n);
    // A snapshot of another test in the same PostgreSQL may keep the dead rows for a moment.
    await expect
      .poll(
        async () => {
          await tidyAuditQueue({ prisma });
          return await bytes();
        },
        { timeout: 15_000 },
      )
      .toBeLessThan(1_000_000n);
  });
});

describe('verification', () => {
  const changes: Record<string, Prisma.Sql> = {
    time: Prisma.sql`time = time + interval '1 microsecond'`,
    organization_id: Prisma.sql`organization_id = NULL`,
    user_id: Prisma.sql`user_id = gen_random_uuid()`,
    ip: Prisma.sql`ip = '192.0.2.2'`,
    user_agent: Prisma.sql`user_agent = user_agent || ' '`,
    request_id: Prisma.sql`request_id = gen_random_uuid()`,
    resource_type: Prisma.sql`resource_type = 'user'`,
    resource_id: Prisma.sql`resource_id = gen_random_uuid()`,
    resource_target: Prisma.sql`resource_target = upper(resource_target)`,
    resource_icon: Prisma.sql`resource_icon = ''`,
    action: Prisma.sql`action = 'delete'`,
    diff: Prisma.sql`diff = '{}'`,
    status_code: Prisma.sql`status_code = 403`,
    additional_fields: Prisma.sql`additional_fields = additional_fields || '{"number": "2"}'`,
    build_reason: Prisma.sql`build_reason = NULL`,
  };

  it('knows every column of an audit row', async () => {
    const columns = await prisma.$queryRaw<{ name: string }[]>`
      SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'audit_logs' AND table_schema = 'public'`;
    expect(['id', ...Object.keys(changes)].toSorted()).toEqual(columns.map((column) => column.name).toSorted());
  });

  it.each(Object.entries(changes))('names the row whose %s was changed', async (_, change) => {
    const ids = await writeRows(5);
    await sealAll(prisma);
    await tampered(Prisma.sql`UPDATE audit_logs SET ${change} WHERE id = ${ids[2]}::uuid`);
    expect(await verifyAuditChain({ prisma })).toMatchObject({
      ok: false,
      rows: 2n,
      problem: { kind: 'changed', auditLogId: ids[2], position: 3n },
    });
  });

  it('names a row that was removed', async () => {
    const ids = await writeRows(5);
    await sealAll(prisma);
    await tampered(Prisma.sql`DELETE FROM audit_logs WHERE id = ${ids[3]}::uuid`);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: false, problem: { kind: 'removed', auditLogId: ids[3], position: 4n } });
  });

  it('names a row that was removed before it was sealed', async () => {
    const ids = await writeRows(2);
    await tampered(Prisma.sql`DELETE FROM audit_logs WHERE id = ${ids[1]}::uuid`);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: false, problem: { kind: 'removed', auditLogId: ids[1] } });
    await sealAll(prisma);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: false, problem: { kind: 'removed', auditLogId: ids[1] } });
  });

  it('finds a removed link, and names its row', async () => {
    const ids = await writeRows(5);
    await sealAll(prisma);
    await tampered(Prisma.sql`DELETE FROM audit_chain_links WHERE position = 2`);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: false, problem: { kind: 'removed', auditLogId: ids[1], position: 2n } });
  });

  it('finds that the end of the chain was cut off with its rows', async () => {
    const ids = await writeRows(5);
    await sealAll(prisma);
    await tampered(Prisma.sql`DELETE FROM audit_logs WHERE id = ${ids[4]}::uuid`);
    await tampered(Prisma.sql`DELETE FROM audit_chain_links WHERE position = 5`);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: false, problem: { kind: 'removed', position: 5n } });
  });

  it('names a row that was inserted past the queue', async () => {
    await writeRows(3);
    await sealAll(prisma);
    const [id] = await writeRows(1);
    await tampered(Prisma.sql`DELETE FROM audit_pending`);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: false, problem: { kind: 'inserted', auditLogId: id } });
  });

  it('finds two rows that changed places', async () => {
    const ids = await writeRows(4);
    await sealAll(prisma);
    await tampered(Prisma.sql`UPDATE audit_chain_links SET audit_log_id = ${ids[2]}::uuid WHERE position = 2`);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: false, problem: { kind: 'changed', position: 2n } });
  });

  it('finds a chain that was written anew, by a head that was kept elsewhere', async () => {
    const ids = await writeRows(3);
    await sealAll(prisma);
    const before = await verifyAuditChain({ prisma });
    const head = before.ok ? before.head : '';
    await tampered(Prisma.sql`UPDATE audit_logs SET ip = '' WHERE id = ${ids[0]}::uuid`);
    await prisma.$executeRaw`TRUNCATE audit_chain_links, audit_counts`;
    await prisma.$executeRaw`INSERT INTO audit_pending (audit_log_id) SELECT id FROM audit_logs ORDER BY time, id`;
    await sealAll(prisma);
    expect(await verifyAuditChain({ prisma })).toMatchObject({ ok: true });
    const expected = { position: 3n, hash: head.split(':')[1] ?? '' };
    expect(await verifyAuditChain({ prisma }, { expected })).toMatchObject({ ok: false, problem: { kind: 'changed', position: 3n } });
  });
});

const INSERT = `INSERT INTO audit_logs (id, request_id, resource_type, resource_id, resource_target, action, status_code)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

function values(row: ReturnType<typeof auditRow>): unknown[] {
  return [row.id, row.requestId, row.resourceType, row.resourceId, row.resourceTarget, row.action, row.statusCode];
}
