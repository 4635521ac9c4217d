import { newId, counted } from '@berth/core';
import type { PrismaClient, Tx } from '@berth/db';
import { CANONICAL_ROW, CHAIN_START, nextHash } from './chain.ts';
import { SEALED_TOTAL_SQL } from './counts.ts';

/** How many links are verified at a time. */
export const BATCH_LINKS = 5_000;

export interface AuditProblem {
  readonly kind: 'changed' | 'removed' | 'inserted';
  /** The audit row; null when even its id is gone. */
  readonly auditLogId: string | null;
  /** Its place in the chain; null for a row that is in none. */
  readonly position: bigint | null;
  /** One sentence for a person. */
  readonly explanation: string;
}

export type AuditVerdict =
  | {
      readonly ok: true;
      readonly rows: bigint;
      /** Keep this elsewhere: with it, even someone who rewrites the whole chain is found out. */
      readonly head: string;
      /** Rows that wait to be sealed, which no link protects yet. */
      readonly waiting: number;
    }
  | { readonly ok: false; readonly rows: bigint; readonly problem: AuditProblem };

export interface VerifyOptions {
  readonly onProgress?: (rows: bigint) => void;
  /** A head that an earlier verification gave: the chain must still pass through it. */
  readonly expected?: { readonly position: bigint; readonly hash: string };
}

/**
 * Reads the whole chain and every row it covers, and tells the first row that was changed, removed or inserted since it was sealed.
 * Streams in batches, so its memory does not grow with the log. Rows written meanwhile do no harm.
 */
export async function verifyAuditChain(
  { prisma }: { readonly prisma: PrismaClient },
  { onProgress, expected }: VerifyOptions = {},
): Promise<AuditVerdict> {
  let position = 0n;
  let hash: Uint8Array = CHAIN_START;
  for (;;) {
    const links = await readLinks(prisma, position);
    for (const link of links) {
      const previous = hash;
      const problem = linkProblem(link, position + 1n, previous);
      if (problem !== null) return { ok: false, rows: position, problem: await named(prisma, problem) };
      hash = link.hash;
      position = link.position;
      if (expected?.position === position && Buffer.from(hash).toString('hex') !== expected.hash) {
        return { ok: false, rows: position, problem: rewritten(link) };
      }
    }
    onProgress?.(position);
    if (links.length < BATCH_LINKS) break;
  }
  const problem = await outsideChain(prisma, position, expected?.position ?? 0n);
  if (problem !== null) return { ok: false, rows: position, problem };
  const waiting = await prisma.auditPending.count();
  return { ok: true, rows: position, head: `${position}:${Buffer.from(hash).toString('hex')}`, waiting };
}

/** Notes what came of verifying the whole chain, for whoever asks when somebody last did. */
export async function noteVerification(prisma: PrismaClient, verdict: AuditVerdict): Promise<void> {
  const outcome = verdict.ok ? { head: verdict.head } : { explanation: verdict.problem.explanation };
  await prisma.auditVerification.create({ data: { id: newId(), ok: verdict.ok, rows: verdict.rows, ...outcome }, select: { id: true } });
}

interface Link {
  readonly position: bigint;
  readonly audit_log_id: string;
  readonly hash: Uint8Array;
  readonly canonical: string | null;
}

/** The next links after a position, at most so many as are verified at a time, with their rows. */
export async function readLinks(prisma: Tx, after: bigint): Promise<Link[]> {
  return await prisma.$queryRaw<Link[]>`
    SELECT l.position, l.audit_log_id, l.hash, r.canonical
    FROM (SELECT position, audit_log_id, hash FROM audit_chain_links WHERE position > ${after} ORDER BY position LIMIT ${BATCH_LINKS}) l
    LEFT JOIN LATERAL (SELECT ${CANONICAL_ROW} AS canonical FROM audit_logs a WHERE a.id = l.audit_log_id LIMIT 1) r ON TRUE
    ORDER BY l.position`;
}

/** What is wrong with a link that should follow the one before; null when nothing is. */
export function linkProblem(link: Link, expectedPosition: bigint, previous: Uint8Array): AuditProblem | null {
  if (link.position !== expectedPosition) {
    return {
      kind: 'removed',
      auditLogId: null,
      position: expectedPosition,
      explanation: `Link ${expectedPosition} of the chain is gone; the next one is ${link.position}.`,
    };
  }
  const facts = { auditLogId: link.audit_log_id, position: link.position };
  if (link.canonical === null) {
    return { ...facts, kind: 'removed', explanation: `The audit row ${link.audit_log_id} (link ${link.position}) was removed.` };
  }
  if (nextHash(previous, link.canonical).equals(link.hash)) return null;
  return {
    ...facts,
    kind: 'changed',
    explanation: `The audit row ${link.audit_log_id} (link ${link.position}) is not what was sealed: it, its link or its place was changed.`,
  };
}

function rewritten(link: Link): AuditProblem {
  return {
    kind: 'changed',
    auditLogId: link.audit_log_id,
    position: link.position,
    explanation: `At link ${link.position} the chain is another one than was expected: it was written anew.`,
  };
}

/** A link that is gone names no row; but its row, if that was left, is in no chain and does. */
async function named(prisma: PrismaClient, problem: AuditProblem): Promise<AuditProblem> {
  if (problem.auditLogId !== null) return problem;
  return { ...problem, auditLogId: await findUnlinked(prisma) };
}

async function outsideChain(prisma: PrismaClient, position: bigint, expectedPosition: bigint): Promise<AuditProblem | null> {
  const unlinked = await findUnlinked(prisma);
  if (unlinked !== null) {
    return {
      kind: 'inserted',
      auditLogId: unlinked,
      position: null,
      explanation: `The audit row ${unlinked} is in no chain: it was inserted past the log’s own trigger, or its link at the end was removed.`,
    };
  }
  const [lost] = await prisma.$queryRaw<{ id: string }[]>`
    SELECT p.audit_log_id AS id FROM audit_pending p LEFT JOIN audit_logs a ON a.id = p.audit_log_id WHERE a.id IS NULL
    ORDER BY p.transaction_id, p.sequence LIMIT 1`;
  if (lost !== undefined) {
    return {
      kind: 'removed',
      auditLogId: lost.id,
      position: null,
      explanation: `The audit row ${lost.id} was removed before it was sealed.`,
    };
  }
  const [totals] = await prisma.$queryRaw<{ sealed: bigint; head: bigint }[]>`
    SELECT ${SEALED_TOTAL_SQL} AS sealed, (SELECT COALESCE(max(position), 0) FROM audit_chain_links) AS head`;
  if (position < expectedPosition || (totals !== undefined && totals.sealed !== totals.head)) {
    const should = totals !== undefined && totals.sealed > expectedPosition ? totals.sealed : expectedPosition;
    return {
      kind: 'removed',
      auditLogId: null,
      position: position + 1n,
      explanation: `The chain ends at link ${position}, but ${counted(should, 'row was', 'rows were')} sealed: its end was cut off, or the sums were changed.`,
    };
  }
  return null;
}

/** The first row that neither a link nor the queue knows. One statement, so that sealing meanwhile cannot confuse it. */
async function findUnlinked(prisma: PrismaClient): Promise<string | null> {
  const [row] = await prisma.$queryRaw<{ id: string }[]>`
    SELECT a.id FROM audit_logs a
    LEFT JOIN audit_chain_links l ON l.audit_log_id = a.id
    LEFT JOIN audit_pending p ON p.audit_log_id = a.id
    WHERE l.position IS NULL AND p.sequence IS NULL
    ORDER BY a.time, a.id LIMIT 1`;
  return row?.id ?? null;
}
