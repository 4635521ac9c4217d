import { Prisma } from '@berth/db';
import { JOB_TYPES, PROVISIONER_TYPES, TRANSITIONS, waitingWhy } from '@berth/domain';
import { canDo, provisionerDaemonObject, templateObject, workspaceObject } from '@berth/rbac';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { isoSql } from '../kernel/wire-sql.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { RawFittingDaemons, fittingDaemons, fittingDaemonsSql } from '../provisioner-jobs/fitting-sql.ts';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';
import { queueSql } from '../provisioner-jobs/queue-sql.ts';
import type { QueueInput, QueuedJob } from './contract.ts';

/** Jobs of one answer at most: the oldest. */
const MAX_JOBS = 200;

const RawJob = z.object({
  id: z.string(),
  type: z.enum(JOB_TYPES),
  organization_id: z.string(),
  created_at: z.string(),
  initiator: z.string(),
  provisioner: z.enum(PROVISIONER_TYPES),
  tags: z.record(z.string(), z.string()),
  queue_position: z.int(),
  queue_size: z.int(),
  daemons: RawFittingDaemons,
  build: z
    .object({
      id: z.string(),
      number: z.int(),
      transition: z.enum(TRANSITIONS),
      workspace_name: z.string(),
      owner_name: z.string(),
      lets_cancel: z.boolean(),
      workspace: z.object({ id: z.string(), ownerId: z.string(), organizationId: z.string(), dormantAt: z.string().nullable() }),
    })
    .nullable(),
  version: z.object({ id: z.string(), name: z.string(), template_name: z.string() }).nullable(),
});
type RawJob = z.output<typeof RawJob>;

/** What waits for a daemon of an organization, oldest first, and why each does. Names are given to those who may read what they name. */
export async function readQueue(call: UserCall, input: z.output<typeof QueueInput>): Promise<QueuedJob[]> {
  const organization = await resolveOrganization(call, input.organization);
  call.authorize.require(provisionerDaemonObject({ organizationId: organization.id }));
  const heardSince = new Date(call.services.clock.now().getTime() - DAEMON_STALE_MS);
  const rows = await call.db.$queryRaw<{ job: unknown }[]>(Prisma.sql`
    SELECT jsonb_build_object(
      'id', j.id,
      'type', j.kind,
      'organization_id', j.organization_id,
      'created_at', ${isoSql(Prisma.sql`j.created_at`)},
      'initiator', i.username,
      'provisioner', j.provisioner,
      'tags', j.tags,
      'daemons', ${fittingDaemonsSql(heardSince)},
      'build', (
        SELECT jsonb_build_object(
          'id', b.id, 'number', b.build_number, 'transition', b.transition, 'workspace_name', w.name, 'owner_name', o.username, 'lets_cancel', t.allow_user_cancel_workspace_jobs,
          'workspace', jsonb_build_object(
            'id', w.id, 'ownerId', w.owner_id, 'organizationId', w.organization_id, 'dormantAt', ${isoSql(Prisma.sql`w.dormant_at`)}))
        FROM workspace_builds b JOIN workspaces w ON w.id = b.workspace_id JOIN users o ON o.id = w.owner_id JOIN templates t ON t.id = w.template_id WHERE b.job_id = j.id),
      'version', (
        SELECT jsonb_build_object('id', v.id, 'name', v.name, 'template_name', coalesce(t.name, ''))
        FROM template_versions v LEFT JOIN templates t ON t.id = v.template_id WHERE v.job_id = j.id OR v.id = j.dry_run_of_id LIMIT 1)
    ) || ${queueSql('j')} AS job
    FROM provisioner_jobs j JOIN users i ON i.id = j.initiator_id
    WHERE j.organization_id = ${organization.id}::uuid AND j.started_at IS NULL AND j.completed_at IS NULL
    ORDER BY j.created_at, j.id LIMIT ${MAX_JOBS}`);
  return rows.map((row) => presentJob(call, RawJob.parse(row.job)));
}

function presentJob(call: UserCall, { daemons, build, version, ...job }: RawJob): QueuedJob {
  const subject = job.type === 'template_version_import' ? 'import' : 'build';
  const { provisioner, tags, queue_position: position } = job;
  const { kind, sentence } = waitingWhy(subject, { provisioner, tags, daemons: fittingDaemons(daemons), position, typicalSeconds: null });
  const { authorize } = call;
  const templates = templateObject({ organizationId: job.organization_id });
  return {
    ...job,
    why: kind,
    sentence,
    build: build === null ? null : presentBuild(call, build),
    version: version !== null && authorize.can('read', templates) ? { ...version, may_cancel: authorize.can('update', templates) } : null,
  };
}

function presentBuild({ authorize, principal }: UserCall, raw: NonNullable<RawJob['build']>): QueuedJob['build'] {
  const { workspace, lets_cancel, ...build } = raw;
  const object = workspaceObject(workspace);
  if (!authorize.can('read', object)) return null;
  // As canceling itself decides.
  const may_cancel = authorize.can('update', object) && (lets_cancel || canDo(principal.subject, 'workspace:update', {}));
  return { ...build, may_cancel };
}
