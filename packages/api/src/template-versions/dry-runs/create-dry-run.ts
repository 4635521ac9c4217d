import { invalid, notFound } from '@berth/core';
import type { ProvisionerType } from '@berth/domain';
import { randomName } from '@berth/domain';
import { workspaceObject } from '@berth/rbac';
import { buildTags, buildVersionSelect, requireImported, resolveBuildParameters } from '../../builds/index.ts';
import type { UserCall } from '../../kernel/procedures.ts';
import { enqueueJob } from '../../provisioner-jobs/index.ts';
import { readVersion, versionObject } from '../version-sql.ts';
import type { CreateDryRunInput, DryRun } from './contract.ts';
import { readDryRun } from './read-dry-runs.ts';

/**
 * Queues a run that says what the first start of a workspace of this version would make, for those who might make one for themselves.
 *
 * @throws notFound for a version that the caller cannot read; not_ready while it is imported; invalid when its import failed, and naming
 * each parameter and variable whose value cannot be used.
 */
export async function createDryRun(call: UserCall, input: CreateDryRunInput): Promise<DryRun> {
  const { db, services, principal } = call;
  const found = await readVersion(db, services, input.templateversion);
  if (!call.authorize.can('read', versionObject(found))) throw notFound();
  const { id, name, organization_id: organizationId } = found.version;
  call.audit.set({ resourceId: id, target: name, organizationId, additionalFields: { dry_run: true } });
  // Who reads the version knows it, so that a refusal hides nothing.
  call.authorize.require(workspaceObject({ organizationId, ownerId: principal.userId }), { sitewide: true });

  const version = await db.templateVersion.findUnique({ where: { id }, select: buildVersionSelect });
  if (version === null) throw notFound();
  requireImported(version);
  await requireKnownVariables(call, input);
  const parameters = await resolveBuildParameters(db, { versionId: id, requested: input.rich_parameter_values ?? [], previous: [] });
  const jobId = await enqueueJob(db, services, {
    kind: 'template_version_dry_run',
    organizationId,
    initiatorId: principal.userId,
    // The column carries a check constraint with these very values.
    provisioner: version.job.provisioner as ProvisionerType,
    fileId: version.job.fileId,
    dryRunOfId: id,
    tags: buildTags(version),
    input: {
      workspace_name:
        input.workspace_name === undefined || input.workspace_name === '' ? randomName(Math.random, '-') : input.workspace_name,
      rich_parameter_values: parameters,
    },
    variableValues: input.user_variable_values ?? [],
    request: call.request,
  });
  call.audit.update({ additionalFields: { dry_run: true, job_id: jobId } });
  return (await readDryRun(db, { templateversion: id, jobID: jobId })).job;
}

/** A name that the version does not have would be dropped without a word. */
async function requireKnownVariables(
  { db }: UserCall,
  { templateversion, user_variable_values: given = [] }: CreateDryRunInput,
): Promise<void> {
  if (given.length === 0) return;
  const known = await db.templateVersionVariable.findMany({ where: { templateVersionId: templateversion }, select: { name: true } });
  const names = new Set(known.map(({ name }) => name));
  const unknown = given.filter(({ name }) => !names.has(name));
  if (unknown.length === 0) return;
  throw invalid(
    'Validation failed.',
    unknown.map(({ name }) => ({ field: 'user_variable_values', detail: `the version has no variable "${name}"` })),
  );
}
