import { conflict, newId } from '@berth/core';
import { Prisma, type Tx } from '@berth/db';
import type { JobType } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { LEASE_SECONDS } from '../provisioner-jobs/lease.ts';
import { tagsMatchSql } from '../provisioner-jobs/tags-sql.ts';

/** A daemon's process, as it registered. */
export interface DaemonSession {
  readonly daemonId: string;
  readonly sessionId: string;
  readonly organizationId: string;
}

export interface Claim {
  readonly id: string;
  readonly leaseToken: string;
  readonly attempt: number;
  readonly kind: JobType;
}

/** Notes that a daemon is there. @throws conflict when another process registered under its name. */
export async function touchDaemon(db: Tx, services: Services, { daemonId, sessionId, organizationId }: DaemonSession): Promise<void> {
  const { count } = await db.provisionerDaemon.updateMany({
    where: { id: daemonId, sessionId, organizationId },
    data: { lastSeenAt: services.clock.now() },
  });
  if (count === 0) throw conflict('Another process registered under the name of this daemon.');
}

/**
 * Leases the oldest waiting job that fits the daemon, in one statement, or answers null. Rows that others are claiming are skipped,
 * so no job is ever given to two; a daemon that lost its name, or is about to leave, gets none.
 */
export async function claimJob(db: Tx, services: Services, { daemonId, sessionId, organizationId }: DaemonSession): Promise<Claim | null> {
  const now = services.clock.now();
  const leaseToken = newId();
  const rows = await db.$queryRaw<{ id: string; attempt: number; kind: JobType }[]>(Prisma.sql`
    WITH daemon AS (
      SELECT id, provisioners, tags FROM provisioner_daemons
      WHERE id = ${daemonId}::uuid AND session_id = ${sessionId}::uuid AND organization_id = ${organizationId}::uuid
        AND draining_at IS NULL
      FOR SHARE
    ), next AS (
      SELECT j.id FROM provisioner_jobs j, daemon
      WHERE j.started_at IS NULL AND j.completed_at IS NULL AND j.organization_id = ${organizationId}::uuid
        AND j.provisioner = ANY (daemon.provisioners) AND ${tagsMatchSql(Prisma.sql`j.tags`, Prisma.sql`daemon.tags`)}
      ORDER BY j.created_at, j.id LIMIT 1
      FOR UPDATE OF j SKIP LOCKED
    )
    UPDATE provisioner_jobs job SET
      worker_id = ${daemonId}::uuid, started_at = ${instantSql(now)}, updated_at = ${instantSql(now)}, attempt = job.attempt + 1, logs_received = 0,
      lease_token = ${leaseToken}::uuid, lease_expires_at = ${instantSql(new Date(now.getTime() + LEASE_SECONDS * 1000))}
    FROM next WHERE job.id = next.id
    RETURNING job.id, job.attempt, job.kind`);
  const [row] = rows;
  return row === undefined ? null : { ...row, leaseToken };
}
