import { invalid } from '@berth/core';
import { buildDeadlines, deadlineFacts } from '@berth/domain';
import type { Deadlines } from '@berth/domain';
import type { CompleteBuildInput } from '@berth/protocol';
import { endLeasedJob } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import { endSessionTokenOfStart } from '../provisioner-jobs/session-token.ts';
import { scheduleFacts } from '../schedules/index.ts';
import { auditBuild } from './audit-build.ts';
import { requireBuild } from './build-of-job.ts';
import type { ProvisionerCall } from './call.ts';

/**
 * Ends a build that did what it was to do: keeps the driver's state and timings, sets the deadlines with the rule that
 * made them, and for a delete marks the
 * workspace as deleted. A build that someone asked to cancel keeps its state but counts as canceled, without deadline or deletion.
 *
 * @throws conflict when the lease is over; invalid for a job that is no build.
 */
export async function completeBuild(call: ProvisionerCall, input: CompleteBuildInput): Promise<Record<string, never>> {
  const { db, services, principal } = call;
  const now = services.clock.now();
  const lease = { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId };
  const job = await endLeasedJob(db, services, { lease, error: '', errorCode: '' });
  if (job.kind !== 'workspace_build') throw invalid('This job is not a build.');
  const build = await requireBuild(db, job.id);
  const { workspace } = build;
  const hasSucceeded = job.canceledAt === null;

  await db.workspaceBuild.update({
    where: { id: build.id },
    data: {
      provisionerState: Buffer.from(input.state, 'base64'),
      updatedAt: now,
      ...(hasSucceeded && build.transition === 'start' ? await deadlinesOf(call, workspace.id) : {}),
    },
    select: { id: true },
  });
  await db.provisionerJobTiming.createMany({
    data: input.timings.map(({ started_at, ended_at, ...timing }) => ({
      ...timing,
      jobId: job.id,
      startedAt: new Date(started_at),
      endedAt: new Date(ended_at),
    })),
  });
  if (hasSucceeded) {
    if (build.transition === 'delete') {
      await db.workspace.update({
        where: { id: workspace.id },
        data: {
          deleted: true,
          updatedAt: now,
          portShares: { deleteMany: {} },
          shares: { updateMany: { where: { endedAt: null }, data: { endedAt: now } } },
        },
        select: { id: true },
      });
    }
    // A build that is no longer the latest says nothing about its workspace.
    if (build.transition === 'start') {
      await db.workspace.updateMany({ where: { id: workspace.id, latestBuildId: build.id }, data: { isRunning: true } });
    }
    await auditBuild(db, { build, job, hasFailed: false });
  } else {
    await endSessionTokenOfStart(db, services, job.id);
  }
  await publishJobChange(db, services, job.id);
  return {};
}

/** When the workspace that has just started is to stop, and why. Waits for a change of its template, and lets the next one wait. */
async function deadlinesOf({ db, services }: ProvisionerCall, workspaceId: string): Promise<Partial<Deadlines>> {
  await db.$queryRaw`SELECT 1 FROM templates WHERE id = (SELECT template_id FROM workspaces WHERE id = ${workspaceId}::uuid) FOR SHARE`;
  const scheduled = await scheduleFacts(db, services.settings, workspaceId);
  return scheduled === null ? {} : buildDeadlines({ ...deadlineFacts(scheduled.facts), now: services.clock.now() });
}
