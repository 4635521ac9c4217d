import { invalid } from '@berth/core';
import type { PlannedInput, PlannedOutput } from '@berth/protocol';
import { extendLease } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import type { ProvisionerCall } from './call.ts';
import { requireBuild } from './build-of-job.ts';
import { storeResources } from './store-resources.ts';

/**
 * Stores the resources that a build is about to make, and makes the tokens of their agents, so that an agent may connect before the
 * build is over. A second call replaces what the first one stored: its tokens are worth nothing from then on.
 *
 * @throws conflict when the lease is over; invalid for a job that is no build.
 */
export async function planned(call: ProvisionerCall, input: PlannedInput): Promise<PlannedOutput> {
  const { db, services, principal } = call;
  const lease = { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId };
  const job = await extendLease(db, services, lease);
  if (job.kind !== 'workspace_build') throw invalid('Only builds have planned resources.');
  const build = await requireBuild(db, job.id);

  await db.workspaceResource.deleteMany({ where: { jobId: job.id } });
  const agents = await storeResources(db, {
    jobId: job.id,
    transition: build.transition,
    resources: input.resources,
    createdAt: services.clock.now(),
    makeTokens: true,
  });
  const dailyCost = input.resources.reduce((sum, resource) => sum + resource.daily_cost, 0);
  await db.workspaceBuild.update({ where: { id: build.id }, data: { dailyCost }, select: { id: true } });
  await publishJobChange(db, services, job.id);
  return { agents };
}
