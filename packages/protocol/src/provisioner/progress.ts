import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { slug, text } from './fields.ts';
import { PROVISIONER_LIMITS } from './limits.ts';
import { RichParameter, TemplateVariable } from './parameters.ts';
import { ProvisionedResource } from './resources.ts';

const lease = { job_id: uuid(), lease_token: uuid() };

export const JobLogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error']);
export type JobLogLevel = z.output<typeof JobLogLevel>;

export const JobLog = z.object({
  level: JobLogLevel,
  stage: text(128),
  output: text(PROVISIONER_LIMITS.logOutput),
  created_at: timestamp(),
});
export type JobLog = z.output<typeof JobLog>;

/**
 * Extends the lease and stores the lines, in order. `sequence` is the number of the first of them: the lines of one lease are numbered
 * from 0 on, and one that was stored already is not stored again. Absent: nobody knows, so all are stored. `cancel`: someone asked for
 * the job to end.
 */
export const HeartbeatInput = z.object({
  ...lease,
  sequence: z.int().min(0).max(2_000_000_000).optional(),
  logs: z.array(JobLog).max(PROVISIONER_LIMITS.logBatch),
});
export type HeartbeatInput = z.output<typeof HeartbeatInput>;
export const HeartbeatOutput = z.object({ cancel: z.boolean() });
export type HeartbeatOutput = z.output<typeof HeartbeatOutput>;

const resources = () => z.array(ProvisionedResource).max(PROVISIONER_LIMITS.resources);

/** Builds only: stores the resources and makes their agents' tokens. A second call replaces what the first one stored. */
export const PlannedInput = z.object({ ...lease, resources: resources() });
export type PlannedInput = z.output<typeof PlannedInput>;
export const PlannedOutput = z.object({
  agents: z
    .array(z.object({ name: slug(64), id: uuid(), token: uuid() }))
    .max(PROVISIONER_LIMITS.resources * PROVISIONER_LIMITS.agentsPerResource),
});
export type PlannedOutput = z.output<typeof PlannedOutput>;

export const CompleteImportInput = z.object({
  ...lease,
  readme: text(PROVISIONER_LIMITS.readme),
  variables: z.array(TemplateVariable).max(PROVISIONER_LIMITS.variables),
  parameters: z.array(RichParameter).max(PROVISIONER_LIMITS.parameters),
  start_resources: resources(),
  stop_resources: resources(),
  /** The providers whose links a workspace of this version needs. */
  external_auth_providers: z
    .array(z.object({ id: text(128).min(1), optional: z.boolean() }))
    .max(64)
    .default([]),
  /** Tags that the template gives its builds, computed with the defaults of its variables and parameters. */
  workspace_tags: z
    .record(z.string().min(1).max(128), text(256))
    .refine((tags) => Object.keys(tags).length <= 32, 'must have at most 32 tags')
    .default({}),
});
export type CompleteImportInput = z.output<typeof CompleteImportInput>;
export const CompleteImportOutput = z.object({});
export type CompleteImportOutput = z.output<typeof CompleteImportOutput>;

export const ProvisionerTiming = z.object({
  stage: z.enum(['init', 'plan', 'graph', 'apply']),
  source: text(128),
  action: text(128),
  resource: text(256),
  started_at: timestamp(),
  ended_at: timestamp(),
});
export type ProvisionerTiming = z.output<typeof ProvisionerTiming>;

const state = () => z.union([z.literal(''), z.base64().max(PROVISIONER_LIMITS.state)]);

export const CompleteBuildInput = z.object({
  ...lease,
  state: state(),
  timings: z.array(ProvisionerTiming).max(PROVISIONER_LIMITS.timings),
});
export type CompleteBuildInput = z.output<typeof CompleteBuildInput>;
export const CompleteBuildOutput = z.object({});
export type CompleteBuildOutput = z.output<typeof CompleteBuildOutput>;

export const CompleteDryRunInput = z.object({ ...lease, resources: resources() });
export type CompleteDryRunInput = z.output<typeof CompleteDryRunInput>;
export const CompleteDryRunOutput = z.object({});
export type CompleteDryRunOutput = z.output<typeof CompleteDryRunOutput>;

export const JobErrorCode = z.enum(['', 'REQUIRED_TEMPLATE_VARIABLES']);
export type JobErrorCode = z.output<typeof JobErrorCode>;

/** Ends a job without success. `canceled` with an empty `error`: it stopped because someone asked. */
export const FailJobInput = z.object({
  ...lease,
  error: text(8 * 1024),
  error_code: JobErrorCode,
  canceled: z.boolean(),
  /** What is left to clean up later; absent: the state before this build still holds. */
  state: state().optional(),
  /** Of an import that read the variables of its template before it failed. */
  variables: z.array(TemplateVariable).max(PROVISIONER_LIMITS.variables).optional(),
});
export type FailJobInput = z.output<typeof FailJobInput>;
export const FailJobOutput = z.object({});
export type FailJobOutput = z.output<typeof FailJobOutput>;
