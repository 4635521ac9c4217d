import { Prisma } from '@berth/db';
import { JOB_ERROR_CODES, JOB_STATUSES, PROVISIONER_TYPES } from '@berth/domain';
import { z } from 'zod';
import { RawFittingDaemons, fittingDaemonsSql } from '../../provisioner-jobs/fitting-sql.ts';
import { queueSql } from '../../provisioner-jobs/queue-sql.ts';
import { jobStatusSql } from '../../provisioner-jobs/status-sql.ts';

/** Builds whose duration says how long another one will take. */
const SAMPLE = 20;
/** The newest versions of a template that count for that. */
const SAMPLE_VERSIONS = 5;

/** What `whyFactsSql` answers in its column `facts`. */
export const RawWhy = z.object({
  build_id: z.string(),
  job_id: z.string(),
  job_status: z.enum(JOB_STATUSES),
  provisioner: z.enum(PROVISIONER_TYPES),
  tags: z.record(z.string(), z.string()),
  error: z.string(),
  error_code: z.enum(JOB_ERROR_CODES),
  state_replaced: z.boolean(),
  queue: z.object({ queue_position: z.int(), queue_size: z.int() }),
  /** Of a waiting job. */
  daemons: RawFittingDaemons.nullable(),
  typical_seconds: z.number().nullable(),
  /** Of a failed one. */
  first_error: z.object({ log_id: z.int(), stage: z.string(), output: z.string() }).nullable(),
  last_stage: z.string().nullable(),
  is_lost: z.boolean().nullable(),
  has_newer_version: z.boolean(),
  version: z.object({ id: z.string(), name: z.string() }),
  green: z.object({ build_number: z.int(), version_id: z.string(), version_name: z.string(), parameters: z.array(z.string()) }).nullable(),
});
export type RawWhy = z.output<typeof RawWhy>;

/** The median of how long the last builds of this template took that made the same transition, in seconds. */
const TYPICAL_SECONDS = Prisma.sql`(
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FROM (
    SELECT extract(epoch FROM done.completed_at - done.started_at)::float8 AS seconds
    FROM workspace_builds past JOIN provisioner_jobs done ON done.id = past.job_id
    WHERE past.template_version_id IN (
        SELECT id FROM template_versions WHERE template_id = w.template_id ORDER BY created_at DESC LIMIT ${SAMPLE_VERSIONS})
      AND past.transition = b.transition AND done.completed_at IS NOT NULL AND done.started_at IS NOT NULL
      AND done.error = '' AND done.canceled_at IS NULL
    ORDER BY past.created_at DESC LIMIT ${SAMPLE}) sample)`;

const FIRST_ERROR = Prisma.sql`(
  SELECT jsonb_build_object('log_id', l.id, 'stage', l.stage, 'output', l.output) FROM provisioner_job_logs l
  WHERE l.job_id = j.id AND l.level = 'error' ORDER BY l.id LIMIT 1)`;

/** The last build before this one that succeeded, and whose parameters have another value by now. */
const GREEN = Prisma.sql`(
  SELECT jsonb_build_object('build_number', g.build_number, 'version_id', gv.id, 'version_name', gv.name, 'parameters', coalesce((
    SELECT jsonb_agg(name ORDER BY name) FROM
      (SELECT name, value FROM workspace_build_parameters WHERE build_id = g.id) before
      FULL JOIN (SELECT name, value FROM workspace_build_parameters WHERE build_id = b.id) now USING (name)
    WHERE before.value IS DISTINCT FROM now.value), '[]'::jsonb))
  FROM workspace_builds g JOIN provisioner_jobs gj ON gj.id = g.job_id JOIN template_versions gv ON gv.id = g.template_version_id
  WHERE g.workspace_id = b.workspace_id AND g.build_number < b.build_number
    AND gj.completed_at IS NOT NULL AND gj.error = '' AND gj.canceled_at IS NULL
  ORDER BY g.build_number DESC LIMIT 1)`;

/** The facts of one build as `RawWhy`, in one statement; what a job's status does not need is not looked for. */
export function whyFactsSql(buildId: string, heardSince: Date): Prisma.Sql {
  const waits = Prisma.sql`j.started_at IS NULL AND j.completed_at IS NULL`;
  const failed = Prisma.sql`j.error <> ''`;
  return Prisma.sql`
    SELECT w.id, w.owner_id AS "ownerId", w.organization_id AS "organizationId", w.dormant_at AS "dormantAt", jsonb_build_object(
      'build_id', b.id,
      'job_id', j.id,
      'job_status', ${jobStatusSql('j')},
      'provisioner', j.provisioner,
      'tags', j.tags,
      'error', j.error,
      'error_code', j.error_code,
      'state_replaced', coalesce((j.input ->> 'state_replaced')::boolean, false),
      'queue', ${queueSql('j')},
      'daemons', CASE WHEN ${waits} THEN ${fittingDaemonsSql(heardSince)} END,
      'typical_seconds', CASE WHEN ${waits} THEN ${TYPICAL_SECONDS} END,
      'first_error', CASE WHEN ${failed} THEN ${FIRST_ERROR} END,
      'last_stage', CASE WHEN ${failed} THEN (
        SELECT l.stage FROM provisioner_job_logs l WHERE l.job_id = j.id AND l.source = 'provisioner' ORDER BY l.id DESC LIMIT 1) END,
      'is_lost', CASE WHEN ${failed} THEN EXISTS (
        SELECT 1 FROM provisioner_job_logs l WHERE l.job_id = j.id AND l.source = 'provisioner_daemon' AND l.level = 'error') END,
      'has_newer_version', t.active_version_id <> v.id,
      'version', jsonb_build_object('id', v.id, 'name', v.name),
      'green', CASE WHEN ${failed} THEN ${GREEN} END
    ) AS facts
    FROM workspace_builds b
    JOIN workspaces w ON w.id = b.workspace_id
    JOIN templates t ON t.id = w.template_id
    JOIN template_versions v ON v.id = b.template_version_id
    JOIN provisioner_jobs j ON j.id = b.job_id
    WHERE b.id = ${buildId}::uuid`;
}
