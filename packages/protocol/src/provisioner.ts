import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';

/**
 * The messages between a provisioner daemon and the server: one zod schema per direction of each `provisionerApi.*`
 * mutation. The daemon is an untrusted client, so every text, list and record has a bound. Texts are counted in
 * UTF-16 code units, lists in entries.
 *
 * A daemon holds a job by a lease: each call about a job carries the `lease_token` it was acquired with, and a call with
 * a lease that is over is refused with `conflict`; the daemon then stops working on that job at once.
 */

export const PROVISIONER_LIMITS = {
  /** Log lines in one heartbeat. */
  logBatch: 500,
  /** Characters of one log line. */
  logOutput: 8 * 1024,
  /** Longest long poll of `acquireJob`. */
  waitMs: 30_000,
  /** Characters of the base64 form of a driver's state. */
  state: 8 * 1024 * 1024,
  /** Characters of a template's README. */
  readme: 256 * 1024,
  resources: 64,
  agentsPerResource: 16,
  appsPerAgent: 64,
  scriptsPerAgent: 64,
  metadataPerAgent: 64,
  metadataPerResource: 64,
  parameters: 128,
  options: 128,
  variables: 128,
  /** Characters of a script. */
  script: 64 * 1024,
  environment: 256,
  timings: 1000,
  /** Characters of a parameter's or variable's value. */
  value: 8 * 1024,
} as const;

/** 0x00 cannot be stored by PostgreSQL, so no text on this wire may hold it. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character');
/** Up to a year. */
const seconds = () => z.int().min(0).max(31_536_000);
const order = () => z.int().min(-2_147_483_648).max(2_147_483_647);
const namedValue = z.object({ name: text(128).min(1), value: text(PROVISIONER_LIMITS.value) });

/** A name of a resource or an agent: it stands in paths and host names. */
const slug = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/, 'letters, digits, hyphens and underscores');

export const ProvisionerType = z.enum(['process', 'container', 'terraform']);
export type ProvisionerType = z.output<typeof ProvisionerType>;

/** How strongly workspaces are kept apart from the server on this daemon's host. `none` is said aloud at start and on the health page. */
export const SandboxKind = z.enum(['uid_namespace', 'user_namespace', 'uid', 'none']);
export type SandboxKind = z.output<typeof SandboxKind>;

export const SandboxReport = z.object({
  kind: SandboxKind,
  /** One sentence for people: what a workspace can see, and why nothing stronger was possible. */
  detail: text(1024),
});
export type SandboxReport = z.output<typeof SandboxReport>;

// Resources -------------------------------------------------------------------------------------------------------

export const ProvisionedApp = z.object({
  slug: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case letters and digits, joined by single hyphens'),
  display_name: text(128),
  icon: text(1024),
  command: text(PROVISIONER_LIMITS.script),
  url: text(2048),
  external: z.boolean(),
  subdomain: z.boolean(),
  hidden: z.boolean(),
  order: order(),
  sharing_level: z.enum(['owner', 'authenticated', 'public']),
  /** `url` empty: the app is not checked. `interval` in seconds, `threshold` in failed checks. */
  healthcheck: z.object({
    url: text(2048),
    interval: seconds(),
    threshold: z.int().min(0).max(1000),
  }),
});
export type ProvisionedApp = z.output<typeof ProvisionedApp>;

export const ProvisionedScript = z.object({
  display_name: text(128).min(1),
  icon: text(1024),
  script: text(PROVISIONER_LIMITS.script),
  /** Five-field cron, or empty. */
  cron: text(128),
  run_on_start: z.boolean(),
  run_on_stop: z.boolean(),
  start_blocks_login: z.boolean(),
  /** Seconds; 0 means no limit of its own. */
  timeout: seconds(),
  log_path: text(1024),
});
export type ProvisionedScript = z.output<typeof ProvisionedScript>;

export const ProvisionedAgentMetadata = z.object({
  key: text(128).min(1),
  display_name: text(128),
  script: text(PROVISIONER_LIMITS.script),
  /** Seconds between two runs. */
  interval: seconds(),
  /** Seconds one run may take. */
  timeout: seconds(),
  order: order(),
});
export type ProvisionedAgentMetadata = z.output<typeof ProvisionedAgentMetadata>;

export const DisplayApp = z.enum(['vscode', 'vscode_insiders', 'web_terminal', 'port_forwarding_helper', 'ssh_helper']);
export type DisplayApp = z.output<typeof DisplayApp>;

export const ProvisionedAgent = z.object({
  name: slug(64),
  operating_system: text(32),
  architecture: text(32),
  directory: text(1024),
  environment: z
    .record(
      z
        .string()
        .max(256)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
      text(32 * 1024),
    )
    .refine(
      (record) => Object.keys(record).length <= PROVISIONER_LIMITS.environment,
      `at most ${PROVISIONER_LIMITS.environment} variables`,
    ),
  connection_timeout_seconds: seconds(),
  troubleshooting_url: text(2048),
  motd_file: text(1024),
  display_apps: z.array(DisplayApp).max(DisplayApp.options.length),
  order: order(),
  instance_id: text(256),
  /** Of an agent whose token the driver's tool made itself, such as Terraform's provider; absent: the server makes one. */
  token: uuid().optional(),
  apps: z.array(ProvisionedApp).max(PROVISIONER_LIMITS.appsPerAgent),
  scripts: z.array(ProvisionedScript).max(PROVISIONER_LIMITS.scriptsPerAgent),
  metadata: z.array(ProvisionedAgentMetadata).max(PROVISIONER_LIMITS.metadataPerAgent),
});
export type ProvisionedAgent = z.output<typeof ProvisionedAgent>;

export const ProvisionedResource = z.object({
  name: slug(64),
  type: text(64).min(1),
  icon: text(1024),
  hide: z.boolean(),
  daily_cost: z.int().min(0).max(1_000_000_000),
  metadata: z
    .array(z.object({ key: text(128).min(1), value: text(2048), sensitive: z.boolean() }))
    .max(PROVISIONER_LIMITS.metadataPerResource),
  agents: z.array(ProvisionedAgent).max(PROVISIONER_LIMITS.agentsPerResource),
});
export type ProvisionedResource = z.output<typeof ProvisionedResource>;

// Parameters and variables ----------------------------------------------------------------------------------------

/**
 * A template's rich parameter: the fields of the published interface under their own names, plus `display_order` and an
 * optional `condition` (the parameter is asked for only while the named one has one of the values).
 */
export const RichParameter = z.object({
  name: text(64).min(1),
  display_name: text(128),
  description: text(4096),
  description_plaintext: text(4096),
  type: z.enum(['string', 'number', 'bool', 'list(string)']),
  default_value: text(PROVISIONER_LIMITS.value),
  required: z.boolean(),
  mutable: z.boolean(),
  ephemeral: z.boolean(),
  icon: text(1024),
  options: z
    .array(
      z.object({
        name: text(128).min(1),
        description: text(1024),
        value: text(PROVISIONER_LIMITS.value),
        icon: text(1024),
      }),
    )
    .max(PROVISIONER_LIMITS.options),
  validation_error: text(1024),
  validation_regex: text(1024),
  validation_min: z.int().nullable(),
  validation_max: z.int().nullable(),
  validation_monotonic: z.enum(['', 'increasing', 'decreasing']),
  display_order: order(),
  condition: z
    .object({
      parameter: text(64).min(1),
      equals: z.array(text(PROVISIONER_LIMITS.value)).min(1).max(PROVISIONER_LIMITS.options),
    })
    .optional(),
});
export type RichParameter = z.output<typeof RichParameter>;

/** A template's variable with the value that this import settled on. */
export const TemplateVariable = z.object({
  name: text(64).min(1),
  description: text(4096),
  type: z.enum(['string', 'number', 'bool']),
  value: text(PROVISIONER_LIMITS.value),
  default_value: text(PROVISIONER_LIMITS.value),
  required: z.boolean(),
  sensitive: z.boolean(),
});
export type TemplateVariable = z.output<typeof TemplateVariable>;

// registerDaemon --------------------------------------------------------------------------------------------------

/** A daemon that registers again under its name with a new `session_id` gives up every job of its former session. */
export const RegisterDaemonInput = z.object({
  name: text(64).min(1),
  session_id: uuid(),
  version: text(64),
  provisioners: z.array(ProvisionerType).min(1).max(8),
  tags: z.record(z.string().min(1).max(128), text(256)).refine((tags) => Object.keys(tags).length <= 32, 'at most 32 tags'),
  sandbox: SandboxReport,
  /** How many jobs it does at a time; one unless given. */
  slots: z.int().min(1).max(1000).optional(),
});
export type RegisterDaemonInput = z.output<typeof RegisterDaemonInput>;
export const RegisterDaemonOutput = z.object({ daemon_id: uuid() });
export type RegisterDaemonOutput = z.output<typeof RegisterDaemonOutput>;

// drainDaemon -----------------------------------------------------------------------------------------------------

/** A daemon that is about to leave gets no more jobs; with `left` it is gone, and the jobs it still has are given to others at once. */
export const DrainDaemonInput = z.object({ daemon_id: uuid(), session_id: uuid(), left: z.boolean() });
export type DrainDaemonInput = z.output<typeof DrainDaemonInput>;
export const DrainDaemonOutput = z.object({});
export type DrainDaemonOutput = z.output<typeof DrainDaemonOutput>;

// acquireJob ------------------------------------------------------------------------------------------------------

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

// The life of a job -----------------------------------------------------------------------------------------------

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
    .refine((tags) => Object.keys(tags).length <= 32, 'at most 32 tags')
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
});
export type FailJobInput = z.output<typeof FailJobInput>;
export const FailJobOutput = z.object({});
export type FailJobOutput = z.output<typeof FailJobOutput>;
