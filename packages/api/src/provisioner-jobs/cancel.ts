import { invalid, notFound } from '@berth/core';
import { Prisma } from '@berth/db';
import type { JobStatus } from '@berth/domain';
import { cancelProblem, jobStatus } from '@berth/domain';
import type { Call } from '../kernel/procedures.ts';
import { publishJobChange } from './news.ts';

interface Locked {
  startedAt: Date | null;
  completedAt: Date | null;
  canceledAt: Date | null;
  error: string;
}

/**
 * Asks a job to end. One that still waits is over at once (`canceled`); one that a daemon has becomes `canceling` until the daemon
 * answers, which it learns with its next heartbeat. The caller has authorised this.
 *
 * @throws invalid when the job has ended or was already asked to.
 */
export async function requestCancel(call: Pick<Call, 'db' | 'services'>, jobId: string): Promise<JobStatus> {
  const { db, services } = call;
  const [job] = await db.$queryRaw<Locked[]>(Prisma.sql`
    SELECT started_at AS "startedAt", completed_at AS "completedAt", canceled_at AS "canceledAt", error
    FROM provisioner_jobs WHERE id = ${jobId}::uuid FOR UPDATE`);
  if (job === undefined) throw notFound();
  const problem = cancelProblem(jobStatus(job));
  if (problem === 'finished') throw invalid('The job has already ended.');
  if (problem === 'already_canceling') throw invalid('The job is already being canceled.');

  const now = services.clock.now();
  const isWaiting = job.startedAt === null;
  await db.provisionerJob.update({
    where: { id: jobId },
    data: { canceledAt: now, updatedAt: now, ...(isWaiting ? { completedAt: now, sealedInput: null } : {}) },
    select: { id: true },
  });
  await publishJobChange(db, services, jobId);
  return isWaiting ? 'canceled' : 'canceling';
}
