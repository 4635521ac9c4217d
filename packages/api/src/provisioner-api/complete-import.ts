import { invalid } from '@berth/core';
import type { JobErrorCode } from '@berth/domain';
import { richParameterFromWire, validateDefinitions } from '@berth/domain';
import type { CompleteImportInput, RichParameter, TemplateVariable } from '@berth/protocol';
import type { Services } from '../kernel/context.ts';
import type { LeasedJob } from '../provisioner-jobs/lease.ts';
import { endLeasedJob } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import type { ProvisionerCall } from './call.ts';
import { givenValues, storeVariables, withValues } from './import-variables.ts';
import { storeResources } from './store-resources.ts';

/**
 * Ends the import of a template version: keeps its README, variables, parameters, and what a started and a stopped workspace would
 * have. A variable takes the author's value, else its default; when a required one has neither, the import fails with
 * `REQUIRED_TEMPLATE_VARIABLES`, and the variables are kept so that they can be asked for. It also fails when it asks for links to external
 * services that are not configured, or defines a parameter that no value could ever suit.
 *
 * @throws conflict when the lease is over; invalid for a job that is no import, or when names are given twice.
 */
export async function completeImport(call: ProvisionerCall, input: CompleteImportInput): Promise<Record<string, never>> {
  const { db, services, principal } = call;
  const lease = { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId };
  refuseDuplicates('parameter', input.parameters);
  refuseDuplicates('variable', input.variables);
  refuseDuplicates(
    'external service',
    input.external_auth_providers.map(({ id }) => ({ name: id })),
  );
  const given = await givenValues(call, input.job_id);
  const variables = withValues(input.variables, given);
  const failure = failureOf(services, { variables, providers: input.external_auth_providers, parameters: input.parameters });
  const job = await endLeasedJob(db, services, { lease, error: failure?.error ?? '', errorCode: failure?.errorCode ?? '' });
  if (job.kind !== 'template_version_import') throw invalid('This job is not an import.');
  await store(call, { job, input, variables, hasFailed: failure !== null });
  await publishJobChange(db, services, job.id);
  return {};
}

interface Needs {
  readonly variables: readonly TemplateVariable[];
  readonly providers: CompleteImportInput['external_auth_providers'];
  readonly parameters: readonly RichParameter[];
}

/** Why a version that was read well can still not be used, or null. */
function failureOf({ settings }: Services, { variables, providers, parameters }: Needs): { error: string; errorCode: JobErrorCode } | null {
  const missing = variables.filter((variable) => variable.required && variable.value === '').map(({ name }) => name);
  if (missing.length > 0) {
    return { error: `These variables need a value: ${missing.join(', ')}.`, errorCode: 'REQUIRED_TEMPLATE_VARIABLES' };
  }
  const unknown = providers.map(({ id }) => id).filter((id) => !settings.externalAuth.some((provider) => provider.id === id));
  if (unknown.length > 0) {
    return { error: `The template uses external services that this server does not have: ${unknown.join(', ')}.`, errorCode: '' };
  }
  const [problem, ...more] = validateDefinitions(parameters.map(richParameterFromWire));
  if (problem === undefined) return null;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return { error: `The parameter "${problem.parameter}" cannot be used. ${problem.detail}${others}`, errorCode: '' };
}

async function store(
  { db, services }: ProvisionerCall,
  { job, input, variables, hasFailed }: { job: LeasedJob; input: CompleteImportInput; variables: TemplateVariable[]; hasFailed: boolean },
): Promise<void> {
  const createdAt = services.clock.now();
  const { id: templateVersionId } = await db.templateVersion.update({
    where: { jobId: job.id },
    data: {
      readme: input.readme,
      updatedAt: createdAt,
      externalAuthProviders: input.external_auth_providers,
      workspaceTags: input.workspace_tags,
    },
    select: { id: true },
  });
  await storeVariables({ db, services }, templateVersionId, variables);
  if (hasFailed) return;
  await db.templateVersionParameter.createMany({
    data: input.parameters.map((parameter) => parameterRow(parameter, templateVersionId)),
  });
  const common = { jobId: job.id, createdAt, workspaceId: null };
  await storeResources(db, { ...common, transition: 'start', resources: input.start_resources });
  await storeResources(db, { ...common, transition: 'stop', resources: input.stop_resources });
}

function parameterRow(parameter: RichParameter, templateVersionId: string) {
  return {
    templateVersionId,
    name: parameter.name,
    displayName: parameter.display_name,
    description: parameter.description,
    descriptionPlaintext: parameter.description_plaintext,
    type: parameter.type,
    defaultValue: parameter.default_value,
    required: parameter.required,
    mutable: parameter.mutable,
    ephemeral: parameter.ephemeral,
    icon: parameter.icon,
    options: parameter.options,
    validationRegex: parameter.validation_regex,
    validationError: parameter.validation_error,
    validationMin: parameter.validation_min,
    validationMax: parameter.validation_max,
    validationMonotonic: parameter.validation_monotonic,
    ...(parameter.condition === undefined ? {} : { condition: parameter.condition }),
    displayOrder: parameter.display_order,
  };
}

function refuseDuplicates(kind: string, items: readonly { readonly name: string }[]): void {
  const names = items.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw invalid(`A ${kind} is defined twice: ${[...new Set(twice)].join(', ')}.`);
}
