import { Prisma } from '@berth/db';
import { ProvisionerJob } from '@berth/protocol';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { LEASE_SECONDS } from '../provisioner-jobs/lease.ts';
import { openVariableValues } from '../provisioner-jobs/sealed-input.ts';
import { mergedValues, openVariableJson, variablesSql } from '../template-versions/variable-values.ts';
import type { Claim } from './claim-job.ts';
import type { JobSecrets } from './job-secrets.ts';
import { jobSecrets } from './job-secrets.ts';
import { endSessionToken } from '../provisioner-jobs/session-token.ts';

const NamedValues = z.array(z.object({ name: z.string(), value: z.string() }));

const Row = z.object({
  job: z.record(z.string(), z.unknown()),
  /** Those of the version; the secret ones are encrypted. */
  variables: z.unknown(),
  /** Values that the request gave, encrypted. */
  sealed: z.instanceof(Uint8Array).nullable(),
  /** Of a build. */
  holder: z.object({ ownerId: z.string(), workspaceId: z.string(), isStart: z.boolean(), providers: z.unknown() }).nullable(),
});
type Row = z.output<typeof Row>;

const NAMED_VALUES = Prisma.sql`jsonb_agg(jsonb_build_object('name', name, 'value', value) ORDER BY name)`;

/** The owner of a workspace, as templates see them: the user `u` in the organization `o`. Their groups are for Terraform only. */
const OWNER = Prisma.sql`jsonb_build_object('id', u.id, 'username', u.username, 'email', u.email, 'name', u.name) ||
  CASE WHEN j.provisioner = 'terraform' THEN jsonb_build_object('login_type', u.login_type, 'groups', coalesce((
    SELECT jsonb_agg(g.name ORDER BY g.name) FROM groups g
    WHERE g.organization_id = o.id AND (g.id = o.id
      OR EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = g.id AND m.user_id = u.id))), '[]'::jsonb))
  ELSE '{}'::jsonb END`;

/**
 * What a daemon needs to know of the job it claimed. Null when the job's version or build is gone. What belongs to the workspace's owner
 * goes only to the driver that hands it on to templates, and the session token of an earlier start ends with every other build.
 */
export async function jobPayload(services: Services, claim: Claim): Promise<ProvisionerJob | null> {
  const [found] = await services.prisma.$queryRaw<unknown[]>(statementFor(claim));
  if (found === undefined) return null;
  const row = Row.parse(found);
  const job = {
    ...row.job,
    ...variableValues(services, claim, row),
    id: claim.id,
    lease_token: claim.leaseToken,
    lease_seconds: LEASE_SECONDS,
    attempt: claim.attempt,
    kind: claim.kind,
    access_url: services.settings.accessUrl,
    prebuilt: false,
  };
  return ProvisionerJob.parse(withSecrets(job, await secretsFor(services, row)));
}

/** The values of the version's variables, with what the request gave over them; an import knows only the latter. */
function variableValues(services: Services, { id, kind }: Claim, { job, variables, sealed }: Row): Record<string, unknown> {
  // Jobs that were queued before values were sealed have them in the open.
  const given = [...NamedValues.parse(job['user_variable_values'] ?? []), ...openVariableValues(services, id, sealed)];
  if (kind === 'template_version_import') return { user_variable_values: given };
  return { variable_values: mergedValues(openVariableJson(services, variables), given) };
}

async function secretsFor(services: Services, { job, holder }: Row): Promise<JobSecrets | null> {
  if (holder === null) return null;
  if (!holder.isStart) await services.prisma.$transaction((db) => endSessionToken(db, services, holder));
  return job['provisioner'] === 'terraform' ? jobSecrets(services, holder) : null;
}

const WithOwner = z.object({ workspace: z.looseObject({ owner: z.looseObject({}) }) });

function withSecrets(job: Record<string, unknown>, secrets: JobSecrets | null): Record<string, unknown> {
  if (secrets === null) return job;
  const { external_auth, ...ofOwner } = secrets;
  const { workspace } = WithOwner.parse(job);
  return { ...job, external_auth, workspace: { ...workspace, owner: { ...workspace.owner, ...ofOwner } } };
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
    ) AS job, '[]'::jsonb AS variables, j.sealed_input AS sealed, NULL AS holder
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
        'owner', ${OWNER}),
      'organization', jsonb_build_object('id', o.id, 'name', o.name),
      'template', jsonb_build_object('id', t.id, 'name', t.name, 'version_id', v.id, 'version_name', v.name),
      'rich_parameter_values', coalesce(
        (SELECT ${NAMED_VALUES} FROM workspace_build_parameters WHERE build_id = b.id), '[]'::jsonb),
      'state', translate(encode(b.provisioner_state, 'base64'), E'\\n', '')
    ) AS job, ${variablesSql(Prisma.sql`v.id`)} AS variables, j.sealed_input AS sealed,
      jsonb_build_object('ownerId', w.owner_id, 'workspaceId', w.id, 'isStart', b.transition = 'start',
        'providers', v.external_auth_providers) AS holder
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
        'owner', ${OWNER}),
      'organization', jsonb_build_object('id', o.id, 'name', o.name),
      'template', jsonb_build_object('id', coalesce(t.id, v.id), 'name', coalesce(t.name, ''), 'version_id', v.id, 'version_name', v.name),
      'rich_parameter_values', coalesce(j.input -> 'rich_parameter_values', '[]'::jsonb)
    ) AS job, ${variablesSql(Prisma.sql`v.id`)} AS variables, j.sealed_input AS sealed, NULL AS holder
    FROM provisioner_jobs j
    JOIN template_versions v ON v.id = j.dry_run_of_id
    JOIN users u ON u.id = j.initiator_id
    JOIN organizations o ON o.id = j.organization_id
    LEFT JOIN templates t ON t.id = v.template_id
    WHERE j.id = ${jobId}::uuid`;
}
