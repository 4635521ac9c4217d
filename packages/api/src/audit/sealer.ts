import type { PrismaClient, Tx } from '@berth/db';
import { CANONICAL_ROW, CHAIN_START, countedRow, HASH_BYTES, nextHash } from './chain.ts';
import type { CountedRow } from './counts.ts';
import { countSealedSql } from './counts.ts';

/** Keeps two sealers of one database apart. The number means nothing; no other advisory lock uses it. */
const SEALER_LOCK = 7_220_414_001;
const BATCH_ROWS = 5_000;
const BATCH_TIMEOUT_MS = 60_000;

export interface Sealing {
  /** Rows that became links. */
  readonly sealed: number;
  /** Whether the batch held no more, so that another is worth while at once. */
  readonly isFull: boolean;
  /** Whether rows still wait: more than the batch held, or held up by a transaction that has not ended. */
  readonly isBehind: boolean;
}

/**
 * Appends up to `limit` waiting audit rows to the hash chain and adds them to the sums, in one transaction. Takes a row only when every
 * transaction that began before its own has ended, in the order of transactions and then of writing, so that nothing can enter the
 * order before a sealed row. Does nothing while another process seals.
 */
export async function sealAuditRows(
  { prisma }: { readonly prisma: PrismaClient },
  { limit = BATCH_ROWS }: { limit?: number } = {},
): Promise<Sealing> {
  return await prisma.$transaction(
    async (db) => {
      const [lock] = await db.$queryRaw<{ taken: boolean }[]>`SELECT pg_try_advisory_xact_lock(${SEALER_LOCK}::bigint) AS taken`;
      if (lock?.taken !== true) return { sealed: 0, isFull: false, isBehind: false };
      const waiting = await findWaiting(db, limit);
      if (waiting.length > 0) await append(db, waiting);
      const [left] = await db.$queryRaw<{ any: boolean }[]>`SELECT EXISTS (SELECT 1 FROM audit_pending) AS any`;
      return { sealed: waiting.length, isFull: waiting.length === limit, isBehind: left?.any === true };
    },
    { maxWait: BATCH_TIMEOUT_MS, timeout: BATCH_TIMEOUT_MS },
  );
}

/** A queue that is read with each page of the log must stay small. */
const QUEUE_BYTES_MAX = 1024 * 1024;

/**
 * Gives back the space of an emptied queue, which a great many rows at once would leave behind: each page of the log would read
 * through it. PostgreSQL's own vacuum leaves a few dead entries at the end, and with them the whole file.
 */
export async function tidyAuditQueue({ prisma }: { readonly prisma: PrismaClient }): Promise<void> {
  const [queue] = await prisma.$queryRaw<{ bytes: bigint }[]>`SELECT pg_relation_size('audit_pending') AS bytes`;
  if (queue !== undefined && queue.bytes > QUEUE_BYTES_MAX) await prisma.$executeRaw`VACUUM (INDEX_CLEANUP ON) audit_pending`;
}

interface WaitingRow {
  readonly transaction_id: string;
  readonly sequence: string;
  readonly audit_log_id: string;
  readonly canonical: string | null;
}

/** Transaction ids of the future come from another cluster, from which this database was restored: those have ended too. */
async function findWaiting(db: Tx, limit: number): Promise<WaitingRow[]> {
  return await db.$queryRaw<WaitingRow[]>`
    SELECT p.transaction_id::text, p.sequence::text, p.audit_log_id::text, r.canonical
    FROM (
      SELECT transaction_id, sequence, audit_log_id FROM audit_pending
      WHERE transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        OR transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      ORDER BY transaction_id, sequence LIMIT ${limit}
    ) p
    LEFT JOIN LATERAL (SELECT ${CANONICAL_ROW} AS canonical FROM audit_logs a WHERE a.id = p.audit_log_id LIMIT 1) r ON TRUE
    ORDER BY p.transaction_id, p.sequence`;
}

/** One statement, so that links, queue and sums change together. */
async function append(db: Tx, rows: readonly WaitingRow[]): Promise<void> {
  const [head] = await db.$queryRaw<{ position: bigint; hash: Uint8Array }[]>`
    SELECT position, hash FROM audit_chain_links ORDER BY position DESC LIMIT 1`;
  let hash: Uint8Array = head?.hash ?? CHAIN_START;
  const hashes: Uint8Array[] = [];
  const counted: CountedRow[] = [];
  for (const { canonical } of rows) {
    hash = nextHash(hash, canonical);
    hashes.push(hash);
    if (canonical !== null) counted.push(countedRow(canonical));
  }
  await db.$executeRaw`
    WITH batch AS (
      SELECT * FROM unnest(
        ${rows.map((row) => row.transaction_id)}::bigint[], ${rows.map((row) => row.sequence)}::bigint[], ${rows.map((row) => row.audit_log_id)}::uuid[]
      ) WITH ORDINALITY AS b (transaction_id, sequence, id, n)
    ),
    linked AS (
      INSERT INTO audit_chain_links (position, audit_log_id, hash)
      SELECT ${head?.position ?? 0n}::bigint + n, id, substring(${Buffer.concat(hashes)}::bytea FROM (n::int - 1) * ${HASH_BYTES}::int + 1 FOR ${HASH_BYTES}::int)
      FROM batch
    ),
    unqueued AS (
      DELETE FROM audit_pending p USING batch b WHERE p.transaction_id = b.transaction_id AND p.sequence = b.sequence
    )
    ${countSealedSql(counted)}`;
}
