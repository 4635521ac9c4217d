import { Prisma, type Tx } from '@berth/db';
import { ProvisionerJob } from '@berth/protocol';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { LEASE_SECONDS } from '../provisioner-jobs/lease.ts';
import type { Claim } from './claim-job.ts';

const Row = z.object({ job: z.record(z.string(), z.unknown()) });

const NAMED_VALUES = Prisma.sql`jsonb_agg(jsonb_build_object('name', name, 'value', value) ORDER BY name)`;

/** What a daemon needs to know of the job it claimed, in one statement. Null when the job's version or build is gone. */
export async function jobPayload(db: Tx, services: Services, claim: Claim): Promise<ProvisionerJob | null> {
  const rows = await db.$queryRaw<unknown[]>(statementFor(claim));
  if (rows.length === 0) return null;
  return ProvisionerJob.parse({
    ...Row.parse(rows[0]).job,
    id: claim.id,
    lease_token: claim.leaseToken,
    lease_seconds: LEASE_SECONDS,
    attempt: claim.attempt,
    kind: claim.kind,
    access_url: services.settings.accessUrl,
    prebuilt: false,
  });
}

function statementFor({ id, kind }: Claim): Prisma.Sql {
  switch (kind) {
    case 'template_version_import':
      return importSql(id);
    case 'workspace_build':
      return buildSql(id);
    case 'template_version_dry_run':
      return dryRunSql(id);
  }
}

function importSql(jobId: string): Prisma.Sql {
  return Prisma.sql`
    SELECT jsonb_build_object(
      'provisioner', j.provisioner,
      'file_id', j.file_id,
      'log_level', '',
      'template_version_id', v.id,
      'user_variable_values', coalesce(j.input -> 'user_variable_values', '[]'::jsonb)
    ) AS job
    FROM provisioner_jobs j JOIN template_versions v ON v.job_id = j.id
    WHERE j.id = ${jobId}::uuid`;
}

function buildSql(jobId: string): Prisma.Sql {
  return Prisma.sql`
    SELECT jsonb_build_object(
      'provisioner', j.provisioner,
      'file_id', j.file_id,
      'log_level', coalesce(j.input ->> 'log_level', ''),
      'build_id', b.id,
      'build_number', b.build_number,
      'transition', b.transition,
      'workspace', jsonb_build_object('id', w.id, 'name', w.name,
        'owner', jsonb_build_object('id', u.id, 'username', u.username, 'email', u.email, 'name', u.name)),
      'organization', jsonb_build_object('id', o.id, 'name', o.name),
      'template', jsonb_build_object('id', t.id, 'name', t.name, 'version_id', v.id, 'version_name', v.name),
      'rich_parameter_values', coalesce(
        (SELECT ${NAMED_VALUES} FROM workspace_build_parameters WHERE build_id = b.id), '[]'::jsonb),
      'variable_values', coalesce(
        (SELECT ${NAMED_VALUES} FROM template_version_variables WHERE template_version_id = v.id), '[]'::jsonb),
      'state', translate(encode(b.provisioner_state, 'base64'), E'\\n', '')
    ) AS job
    FROM provisioner_jobs j
    JOIN workspace_builds b ON b.job_id = j.id
    JOIN workspaces w ON w.id = b.workspace_id
    JOIN users u ON u.id = w.owner_id
    JOIN organizations o ON o.id = w.organization_id
    JOIN templates t ON t.id = w.template_id
    JOIN template_versions v ON v.id = b.template_version_id
    WHERE j.id = ${jobId}::uuid`;
}

/** The workspace of a dry run is made up: it has the job's id, the name that was given, and belongs to whoever asked. */
function dryRunSql(jobId: string): Prisma.Sql {
  return Prisma.sql`
    SELECT jsonb_build_object(
      'provisioner', j.provisioner,
      'file_id', j.file_id,
      'log_level', '',
      'workspace', jsonb_build_object('id', j.id, 'name', j.input ->> 'workspace_name',
        'owner', jsonb_build_object('id', u.id, 'username', u.username, 'email', u.email, 'name', u.name)),
      'organization', jsonb_build_object('id', o.id, 'name', o.name),
      'template', jsonb_build_object('id', coalesce(t.id, v.id), 'name', coalesce(t.name, ''), 'version_id', v.id, 'version_name', v.name),
      'rich_parameter_values', coalesce(j.input -> 'rich_parameter_values', '[]'::jsonb),
      'variable_values', coalesce(
        (SELECT ${NAMED_VALUES} FROM template_version_variables WHERE template_version_id = v.id), '[]'::jsonb)
    ) AS job
    FROM provisioner_jobs j
    JOIN template_versions v ON v.id = j.dry_run_of_id
    JOIN users u ON u.id = j.initiator_id
    JOIN organizations o ON o.id = j.organization_id
    LEFT JOIN templates t ON t.id = v.template_id
    WHERE j.id = ${jobId}::uuid`;
}
