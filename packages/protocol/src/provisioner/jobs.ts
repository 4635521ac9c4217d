import { uuid } from '@berth/core';
import { z } from 'zod';
import { ProvisionerType } from './daemon.ts';
import { namedValue, text } from './fields.ts';
import { PROVISIONER_LIMITS } from './limits.ts';

const jobBase = {
  id: uuid(),
  /** The driver that this job is for: one of those that the daemon registered. */
  provisioner: ProvisionerType,
  lease_token: uuid(),
  /** The lease ends this long after the last heartbeat. */
  lease_seconds: z.int().min(1).max(3600),
  /** 1 for the first daemon that gets this job, one more after each takeover. */
  attempt: z.int().min(1),
  file_id: uuid(),
  log_level: z.enum(['', 'debug']),
};

export const ImportJob = z.object({
  ...jobBase,
  kind: z.literal('template_version_import'),
  template_version_id: uuid(),
  user_variable_values: z.array(namedValue).max(PROVISIONER_LIMITS.variables),
});
export type ImportJob = z.output<typeof ImportJob>;

export const WorkspaceTransition = z.enum(['start', 'stop', 'delete']);
export type WorkspaceTransition = z.output<typeof WorkspaceTransition>;

/** Whose workspace it is, as templates see them. The keys and tokens are for drivers that hand them on; empty for all others. */
const WorkspaceOwner = z.object({
  id: uuid(),
  username: text(64).min(1),
  email: text(320),
  name: text(256),
  groups: z.array(text(64)).max(1000).default([]),
  login_type: text(32).default(''),
  session_token: text(256).default(''),
  oidc_access_token: text(32 * 1024).default(''),
  ssh_public_key: text(16 * 1024).default(''),
  ssh_private_key: text(16 * 1024).default(''),
});

/** The owner's link to an external service, by the id under which the template asks for it. */
const ExternalAuthToken = z.object({ id: text(128).min(1), access_token: text(32 * 1024) });

/** What both a build and its dry run know of the workspace and where it comes from. */
const workspaceJob = {
  organization: z.object({ id: uuid(), name: text(64) }),
  template: z.object({ id: uuid(), name: text(64), version_id: uuid(), version_name: text(128) }),
  rich_parameter_values: z.array(namedValue).max(PROVISIONER_LIMITS.parameters),
  variable_values: z.array(namedValue).max(PROVISIONER_LIMITS.variables),
  external_auth: z.array(ExternalAuthToken).max(64).default([]),
  /** Where an agent reaches the server. */
  access_url: z.url({ protocol: /^https?$/ }).max(2048),
};

export const BuildJob = z.object({
  ...jobBase,
  kind: z.literal('workspace_build'),
  build_id: uuid(),
  build_number: z.int().min(1),
  transition: WorkspaceTransition,
  workspace: z.object({
    id: uuid(),
    name: text(64).min(1),
    owner: WorkspaceOwner,
  }),
  ...workspaceJob,
  /** Base64 of what the driver answered to the last build that ended, or empty. */
  state: z.union([z.literal(''), z.base64().max(PROVISIONER_LIMITS.state)]),
  prebuilt: z.literal(false),
});
export type BuildJob = z.output<typeof BuildJob>;

/** Says what the first start of a workspace would make, and makes nothing. The workspace and its id exist nowhere else. */
export const DryRunJob = z.object({
  ...jobBase,
  kind: z.literal('template_version_dry_run'),
  workspace: z.object({ id: uuid(), name: text(64).min(1), owner: WorkspaceOwner }),
  ...workspaceJob,
});
export type DryRunJob = z.output<typeof DryRunJob>;

export const ProvisionerJob = z.discriminatedUnion('kind', [ImportJob, BuildJob, DryRunJob]);
export type ProvisionerJob = z.output<typeof ProvisionerJob>;

/** Answered at once when a job is queued, else after `wait_ms` with `job: null`. */
export const AcquireJobInput = z.object({
  daemon_id: uuid(),
  session_id: uuid(),
  wait_ms: z.int().min(0).max(PROVISIONER_LIMITS.waitMs),
});
export type AcquireJobInput = z.output<typeof AcquireJobInput>;
export const AcquireJobOutput = z.object({ job: ProvisionerJob.nullable() });
export type AcquireJobOutput = z.output<typeof AcquireJobOutput>;
