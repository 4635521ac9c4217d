import type { Tx } from '@berth/db';
import type { AuditAction, Transition } from '@berth/domain';
import { writeAuditRow } from '../kernel/audit.ts';
import type { LeasedJob } from '../provisioner-jobs/lease.ts';
import type { BuildOfJob } from './build-of-job.ts';

const ACTION = { start: 'start', stop: 'stop', delete: 'delete' } as const satisfies Record<Transition, AuditAction>;

type AuditedJob = Pick<LeasedJob, 'id' | 'initiatorId' | 'requestId' | 'requestIp' | 'requestAgent'>;

/** Writes the audit row of a build that ended: 200 when it succeeded, 500 when it failed. It names the request that queued it. */
export async function auditBuild(
  db: Tx,
  { build, job, hasFailed }: { build: BuildOfJob; job: AuditedJob; hasFailed: boolean },
): Promise<void> {
  const { workspace } = build;
  const previous = await db.workspaceBuild.findFirst({
    where: { workspaceId: workspace.id, buildNumber: { lt: build.buildNumber } },
    orderBy: { buildNumber: 'desc' },
    select: { templateVersionId: true },
  });
  await writeAuditRow(db, {
    resource: 'workspace_build',
    action: ACTION[build.transition],
    userId: job.initiatorId,
    statusCode: hasFailed ? 500 : 200,
    request: { requestId: job.requestId, ip: job.requestIp, userAgent: job.requestAgent },
    resourceId: build.id,
    target: workspace.name,
    icon: workspace.template.icon,
    organizationId: workspace.organizationId,
    ...(previous === null ? {} : { before: { template_version_id: previous.templateVersionId } }),
    after: { template_version_id: build.templateVersionId },
    additionalFields: {
      workspace_name: workspace.name,
      workspace_id: workspace.id,
      workspace_owner: workspace.owner.username,
      build_number: String(build.buildNumber),
      build_reason: build.reason,
      job_id: job.id,
    },
    buildReason: build.reason,
  });
}
