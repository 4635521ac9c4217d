import { invalid } from '@berth/core';
import type { CompleteDryRunInput } from '@berth/protocol';
import { endLeasedJob } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import type { ProvisionerCall } from './call.ts';
import { storeResources } from './store-resources.ts';

/**
 * Ends a dry run: keeps what the first start of a workspace would make.
 *
 * @throws conflict when the lease is over; invalid for a job that is no dry run, or when names are given twice.
 */
export async function completeDryRun(call: ProvisionerCall, input: CompleteDryRunInput): Promise<Record<string, never>> {
  const { db, services, principal } = call;
  const lease = { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId };
  const job = await endLeasedJob(db, services, { lease, error: '', errorCode: '' });
  if (job.kind !== 'template_version_dry_run') throw invalid('This job is not a dry run.');
  const createdAt = services.clock.now();
  await storeResources(db, { jobId: job.id, transition: 'start', resources: input.resources, createdAt, workspaceId: null });
  await publishJobChange(db, services, job.id);
  return {};
}
