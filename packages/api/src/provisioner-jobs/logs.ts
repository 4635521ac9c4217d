import { Prisma, type Tx } from '@berth/db';
import type { LogLevel, LogSource } from '@berth/domain';
import { z } from 'zod';
import { jobLogsChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import { isoSql } from '../kernel/wire-sql.ts';
import { JOB_LOG_PAGE, ProvisionerJobLog } from './contract.ts';

const LogRows = z.array(z.object({ log: ProvisionerJobLog }));

export interface LogRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit?: number;
}

/** The log of a job, oldest line first; at most `limit` lines (10 000 unless told). */
export async function listJobLogs(db: Tx, jobId: string, range: LogRange = {}): Promise<ProvisionerJobLog[]> {
  const rows = await db.$queryRaw<unknown>(Prisma.sql`
    SELECT jsonb_build_object('id', id, 'created_at', ${isoSql(Prisma.sql`created_at`)}, 'log_source', source, 'log_level', level,
      'stage', stage, 'output', output) AS log
    FROM provisioner_job_logs
    WHERE job_id = ${jobId}::uuid AND id > ${range.after ?? 0} AND id < ${range.before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY id LIMIT ${range.limit ?? JOB_LOG_PAGE}`);
  return LogRows.parse(rows).map((row) => row.log);
}

export interface NewLogLine {
  readonly createdAt: Date;
  readonly level: LogLevel;
  readonly stage: string;
  readonly output: string;
}

/**
 * Appends lines to a job's log, in order, and wakes those who follow it. Whoever calls this holds the job's row lock, so that ids
 * grow in the order in which lines become visible.
 */
export async function appendJobLogs(
  db: Tx,
  services: Services,
  { jobId, source, lines }: { jobId: string; source: LogSource; lines: readonly NewLogLine[] },
): Promise<void> {
  if (lines.length === 0) return;
  await db.provisionerJobLog.createMany({ data: lines.map((line) => ({ ...line, jobId, source })) });
  await services.bus.publish(db, jobLogsChannel, { job_id: jobId });
}

/** News may be lost while a connection is down; a follower looks again at least this often. */
const LOOK_AGAIN_MS = 5_000;
const FOLLOW_PAGE = 1_000;

/**
 * The log of a job from after line `after` on, each line once and in order: what there is, then what comes. Ends when the job has
 * ended and every line was given, or when `signal` is aborted. Reads no faster than its consumer takes.
 */
export async function* followJobLogs(
  services: Services,
  jobId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<ProvisionerJobLog, void, void> {
  const wakeup = new Wakeup();
  const unsubscribe = services.bus.subscribe(jobLogsChannel, (news) => {
    if (news.job_id === jobId) wakeup.ring();
  });
  try {
    let last = after;
    while (!signal.aborted) {
      // Read before the lines: a job that is over now has written all of them.
      const isOver = await hasEnded(services, jobId);
      let page: ProvisionerJobLog[];
      do {
        page = await listJobLogs(services.prisma, jobId, { after: last, limit: FOLLOW_PAGE });
        for (const line of page) {
          if (signal.aborted) return;
          last = line.id;
          yield line;
        }
      } while (page.length === FOLLOW_PAGE);
      if (isOver) return;
      await wakeup.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    unsubscribe();
  }
}

async function hasEnded(services: Services, jobId: string): Promise<boolean> {
  const job = await services.prisma.provisionerJob.findUnique({ where: { id: jobId }, select: { completedAt: true } });
  return job === null || job.completedAt !== null;
}
