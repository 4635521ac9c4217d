import { invalid } from '@berth/core';
import type { Tx } from '@berth/db';
import type { CompleteImportInput, RichParameter, TemplateVariable } from '@berth/protocol';
import { z } from 'zod';
import type { LeasedJob } from '../provisioner-jobs/lease.ts';
import { endLeasedJob } from '../provisioner-jobs/lease.ts';
import { publishJobChange } from '../provisioner-jobs/news.ts';
import type { ProvisionerCall } from './call.ts';
import { storeResources } from './store-resources.ts';

const ImportInput = z.object({ user_variable_values: z.array(z.object({ name: z.string(), value: z.string() })).default([]) });

/**
 * Ends the import of a template version: keeps its README, variables, parameters, and what a started and a stopped workspace would
 * have. A variable takes the author's value, else its default; when a required one has neither, the import fails with
 * `REQUIRED_TEMPLATE_VARIABLES`, and the variables are kept so that they can be asked for.
 *
 * @throws conflict when the lease is over; invalid for a job that is no import, or when names are given twice.
 */
export async function completeImport(call: ProvisionerCall, input: CompleteImportInput): Promise<Record<string, never>> {
  const { db, services, principal } = call;
  const lease = { jobId: input.job_id, leaseToken: input.lease_token, organizationId: principal.organizationId };
  refuseDuplicates('parameter', input.parameters);
  refuseDuplicates('variable', input.variables);
  const given = await givenValues(db, input.job_id);
  const variables = input.variables.map((variable) => ({ ...variable, value: given.get(variable.name) ?? variable.default_value }));
  const missing = variables.filter((variable) => variable.required && variable.value === '').map((variable) => variable.name);
  const hasFailed = missing.length > 0;
  const job = await endLeasedJob(db, services, {
    lease,
    error: hasFailed ? `These variables need a value: ${missing.join(', ')}.` : '',
    errorCode: hasFailed ? 'REQUIRED_TEMPLATE_VARIABLES' : '',
  });
  if (job.kind !== 'template_version_import') throw invalid('This job is no import.');
  await store(call, { job, input, variables, hasFailed });
  await publishJobChange(db, services, job.id);
  return {};
}

async function givenValues(db: Tx, jobId: string): Promise<Map<string, string>> {
  const job = await db.provisionerJob.findUnique({ where: { id: jobId }, select: { input: true } });
  const { user_variable_values } = ImportInput.parse(job?.input ?? {});
  return new Map(user_variable_values.map(({ name, value }) => [name, value]));
}

async function store(
  { db, services }: ProvisionerCall,
  { job, input, variables, hasFailed }: { job: LeasedJob; input: CompleteImportInput; variables: TemplateVariable[]; hasFailed: boolean },
): Promise<void> {
  const createdAt = services.clock.now();
  const { id: templateVersionId } = await db.templateVersion.update({
    where: { jobId: job.id },
    data: { readme: input.readme, updatedAt: createdAt },
    select: { id: true },
  });
  await db.templateVersionVariable.createMany({
    data: variables.map(({ default_value, ...variable }) => ({ ...variable, defaultValue: default_value, templateVersionId })),
  });
  if (hasFailed) return;
  await db.templateVersionParameter.createMany({
    data: input.parameters.map((parameter) => parameterRow(parameter, templateVersionId)),
  });
  const common = { jobId: job.id, createdAt, makeTokens: false };
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
