import { counted } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { isoSql } from '../kernel/wire-sql.ts';
import { Prisma } from '@berth/db';
import { CHAIN_START } from './chain.ts';
import type { AuditChainStatus, AuditRecentVerdict, VerifyRecentAuditLogs } from './contract.ts';
import { SEALED_TOTAL_SQL } from './counts.ts';
import type { AuditProblem } from './verify.ts';
import { BATCH_LINKS, linkProblem, readLinks } from './verify.ts';

/** Whoever may read some part of the log may know how well all of it is kept: it says nothing of what is in it. */
function requireReader(call: UserCall): void {
  call.authorize.require({ type: 'audit_log', anyOrganization: true }, { sitewide: true });
}

/** How far the log is sealed, by what is stored: one statement, which reads no audit row but two. */
export async function readChainStatus(call: UserCall): Promise<AuditChainStatus> {
  requireReader(call);
  const [row] = await call.db.$queryRaw<{ status: AuditChainStatus }[]>`
    SELECT json_build_object(
      'sealed', COALESCE(l.position, 0),
      'sealed_at', ${isoSql(Prisma.sql`l.sealed_at`)},
      'last_sealed_id', l.audit_log_id,
      'last_sealed_time', (SELECT ${isoSql(Prisma.sql`a.time`)} FROM audit_logs a WHERE a.id = l.audit_log_id),
      'head', COALESCE(l.position || ':' || encode(l.hash, 'hex'), ''),
      'waiting', (SELECT count(*) FROM audit_pending),
      'waiting_since', (
        SELECT ${isoSql(Prisma.sql`a.time`)} FROM audit_logs a
        WHERE a.id = (SELECT p.audit_log_id FROM audit_pending p ORDER BY p.transaction_id, p.sequence LIMIT 1)),
      'last_verification', (
        SELECT json_build_object('at', ${isoSql(Prisma.sql`v.at`)}, 'ok', v.ok, 'rows', v.rows, 'head', v.head, 'explanation', v.explanation)
        FROM audit_verifications v ORDER BY v.at DESC LIMIT 1)
    ) AS status
    FROM (SELECT 1) one LEFT JOIN (SELECT * FROM audit_chain_links ORDER BY position DESC LIMIT 1) l ON TRUE`;
  if (row === undefined) throw new Error('a statement of one row gave none');
  return row.status;
}

/**
 * Reads the newest links and their rows and compares them, from the link before the range on, whose hash is believed. Rows that no link
 * knows are not looked for: that takes the whole log.
 */
export async function verifyRecentAuditLogs(call: UserCall, { rows }: z.output<typeof VerifyRecentAuditLogs>): Promise<AuditRecentVerdict> {
  requireReader(call);
  // One instant for all, so that sealing meanwhile does not look like a cut end.
  return await call.services.prisma.$transaction(
    async (db) => {
      const [totals] = await db.$queryRaw<{ sealed: bigint; head: bigint }[]>`
        SELECT ${SEALED_TOTAL_SQL} AS sealed, (SELECT COALESCE(max(position), 0) FROM audit_chain_links) AS head`;
      const head = totals?.head ?? 0n;
      const before = head > BigInt(rows) ? head - BigInt(rows) : 0n;
      const [believed] = await db.$queryRaw<{ hash: Uint8Array }[]>`SELECT hash FROM audit_chain_links WHERE position = ${before}`;
      let hash: Uint8Array = believed?.hash ?? CHAIN_START;
      let position = before;
      let problem: AuditProblem | null = null;
      // The range is at most one reading of links.
      for (const link of rows <= BATCH_LINKS ? await readLinks(db, before) : []) {
        problem = linkProblem(link, position + 1n, hash);
        if (problem !== null) break;
        ({ hash, position } = link);
      }
      if (problem === null && totals !== undefined && totals.sealed !== head) {
        const explanation = `The chain ends at link ${head}, but ${counted(totals.sealed, 'row was', 'rows were')} sealed: its end was cut off, or the sums were changed.`;
        problem = { kind: 'removed', auditLogId: null, position: null, explanation };
      }
      return {
        ok: problem === null,
        rows: Number(position - before),
        first_position: head === 0n ? 0 : Number(before) + 1,
        last_position: Number(head),
        problem: problem === null ? null : { kind: problem.kind, audit_log_id: problem.auditLogId, explanation: problem.explanation },
      };
    },
    { isolationLevel: 'RepeatableRead', timeout: 30_000 },
  );
}
