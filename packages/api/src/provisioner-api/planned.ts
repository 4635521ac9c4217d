import { conflict, invalid } from '@berth/core';
import type { Tx } from '@berth/db';
import type { PlannedInput, PlannedOutput } from '@berth/protocol';
import type { Atomically } from '../kernel/procedures.ts';
import { appendJobLogs } from '../provisioner-jobs/logs.ts';
import { extendLease } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import { judgeCost } from '../quotas/index.ts';
import type { BuildOfJob } from './build-of-job.ts';
import { requireBuild } from './build-of-job.ts';
import type { ProvisionerCall } from './call.ts';
import { failJob } from './fail-job.ts';
import { storeResources } from './store-resources.ts';

/**
 * Stores the resources that a build is about to make, and makes the tokens of their agents, so that an agent may connect before the
 * build is over. A second call replaces what the first one stored: its tokens are worth nothing from then on.
 *
 * A build that does not fit the quota of the workspace's owner ends here, before anything is made: it fails, and its lease is over.
 * What a later call adds is only written down, since by then it exists.
 *
 * @throws conflict when the lease is over; invalid for a job that is no build, and for resources that cannot be stored.
 */
export async function planned(call: ProvisionerCall & { readonly atomically: Atomically }, input: PlannedInput): Promise<PlannedOutput> {
  const outcome = await call.atomically((db) => store({ ...call, db }, input));
  if (outcome.refusal !== null) throw conflict(`The lease of this job is over: ${outcome.refusal}`);
  return { agents: outcome.agents };
}

type Outcome = PlannedOutput & { readonly refusal: string | null };

async function store(call: ProvisionerCall, input: PlannedInput): Promise<Outcome> {
  const { db, services, principal } = call;
  const lease = { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId };
  const job = await extendLease(db, services, lease);
  if (job.kind !== 'workspace_build') throw invalid('Only builds have planned resources.');
  const build = await requireBuild(db, job.id);
  const cost = input.resources.reduce((sum, resource) => sum + resource.daily_cost, 0);

  const former = await db.workspaceResource.deleteMany({ where: { jobId: job.id } });
  if (former.count === 0) {
    const refusal = await judge(db, build, cost);
    if (refusal !== null) return refuse(call, input, refusal);
  }
  const agents = await storeResources(db, {
    jobId: job.id,
    transition: build.transition,
    resources: input.resources,
    createdAt: services.clock.now(),
    workspaceId: build.workspace.id,
  });
  await db.workspaceBuild.update({ where: { id: build.id }, data: { dailyCost: cost }, select: { id: true } });
  await publishJobChange(db, services, job.id);
  return { agents, refusal: null };
}

async function judge(db: Tx, { buildNumber, transition, workspace }: BuildOfJob, cost: number): Promise<string | null> {
  const previous = await db.workspaceBuild.findFirst({
    where: { workspaceId: workspace.id, buildNumber: { lt: buildNumber } },
    orderBy: { buildNumber: 'desc' },
    select: { dailyCost: true },
  });
  return judgeCost(db, { workspace, transition, cost, previousCost: previous?.dailyCost ?? null });
}

async function refuse(call: ProvisionerCall, { job_id, lease_token }: PlannedInput, refusal: string): Promise<Outcome> {
  const { db, services } = call;
  const line = { createdAt: services.clock.now(), level: 'error', stage: 'Quota', output: refusal } as const;
  await appendJobLogs(db, services, { jobId: job_id, source: 'provisioner_daemon', lines: [line] });
  await failJob(call, { job_id, lease_token, error: refusal, error_code: '', canceled: false });
  return { agents: [], refusal };
}
