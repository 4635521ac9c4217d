import type { FailJobInput } from '@berth/protocol';
import { endLeasedJob } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import { endSessionTokenOfStart } from '../provisioner-jobs/session-token.ts';
import { auditBuild } from './audit-build.ts';
import { requireBuild } from './build-of-job.ts';
import type { ProvisionerCall } from './call.ts';
import { givenValues, storeVariables, withValues } from './import-variables.ts';

/**
 * Ends a job without success: canceled when it stopped because someone asked and nothing went wrong, else failed with a reason. A
 * build keeps the state that comes with the failure, else the one it began with; a version keeps the variables that come with it, so that
 * they can be given other values.
 *
 * @throws conflict when the lease is over.
 */
export async function failJob(call: ProvisionerCall, input: FailJobInput): Promise<Record<string, never>> {
  const { db, services, principal } = call;
  const now = services.clock.now();
  const isCanceled = input.canceled && input.error === '';
  const error = isCanceled || input.error !== '' ? input.error : 'The provisioner failed without a reason.';
  const given = input.variables === undefined ? null : await givenValues(call, input.job_id);
  const job = await endLeasedJob(db, services, {
    lease: { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId },
    error,
    errorCode: input.error_code,
  });
  if (isCanceled && job.canceledAt === null) {
    await db.provisionerJob.update({ where: { id: job.id }, data: { canceledAt: now }, select: { id: true } });
  }
  if (job.kind === 'workspace_build') {
    const build = await requireBuild(db, job.id);
    await db.workspaceBuild.update({
      where: { id: build.id },
      data: { updatedAt: now, ...(input.state === undefined ? {} : { provisionerState: Buffer.from(input.state, 'base64') }) },
      select: { id: true },
    });
    await endSessionTokenOfStart(db, services, job.id);
    if (!isCanceled) await auditBuild(db, { build, job, hasFailed: true });
  }
  if (job.kind === 'template_version_import' && given !== null) {
    const version = await db.templateVersion.findUniqueOrThrow({ where: { jobId: job.id }, select: { id: true } });
    await storeVariables(call, version.id, withValues(input.variables ?? [], given));
  }
  await publishJobChange(db, services, job.id);
  return {};
}
