import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';

export { agentArchitecture, agentBundleName } from './agent-delivery/names.ts';

/**
 * Messages between an agent and the server: input and output of the procedures `agentApi.*` on the WebSocket `/api/rpc`.
 * `agentApi.manifest` is a query, everything else is a mutation; reports without an output of their own answer `Ack`.
 * An agent is an untrusted client, so every text, number and list here is bounded; objects drop fields that they do not know,
 * so that a newer peer can say more. A change that an older peer cannot read raises `PROTOCOL_VERSION`.
 */
export const PROTOCOL_VERSION = 1;

/** The version of this protocol as the door of agents is asked for it, `?version=major.minor`. A minor one only adds what may be ignored. */
export const AGENT_RPC_VERSION = { major: PROTOCOL_VERSION, minor: 0 } as const;

/** Where an agent dials: a WebSocket with the procedures `agentApi.*`, for agents alone. */
export const AGENT_RPC_PATH = '/api/v2/workspaceagents/me/rpc';

/** Bounds that both ends obey. Sizes are UTF-16 code units of the text unless the name says bytes. */
export const AGENT_LIMITS = {
  /** One log line; the agent cuts longer ones into several. */
  logOutputMax: 8 * 1024,
  /** Log lines in one `reportLogs` call. */
  logLinesMax: 500,
  /** All log output of one agent, in bytes; the server refuses what comes after and answers `overflowed`. */
  logTotalBytesMax: 1024 * 1024,
  metadataValueMax: 2048,
  metadataErrorMax: 2048,
  metadataKeyMax: 128,
  metadataKeysMax: 128,
  appsMax: 256,
  scriptsMax: 256,
  /** One argument of a command may have 128 KiB on Linux, its end included. */
  scriptSourceMax: 120 * 1024,
  pathMax: 4096,
  listeningPortsMax: 1024,
} as const;

/** The life of the processes in a workspace; an agent only moves forward in this list. `created` is never sent. */
export const AGENT_LIFECYCLES = [
  'created',
  'starting',
  'start_timeout',
  'start_error',
  'ready',
  'shutting_down',
  'shutdown_timeout',
  'shutdown_error',
  'off',
] as const;
export const AgentLifecycle = z.enum(AGENT_LIFECYCLES);
export type AgentLifecycle = z.infer<typeof AgentLifecycle>;

export const APP_HEALTHS = ['disabled', 'initializing', 'healthy', 'unhealthy'] as const;
export const AppHealth = z.enum(APP_HEALTHS);
export type AppHealth = z.infer<typeof AppHealth>;

export const AGENT_LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export const AgentLogLevel = z.enum(AGENT_LOG_LEVELS);
export type AgentLogLevel = z.infer<typeof AgentLogLevel>;

export const AGENT_SUBSYSTEMS = ['envbox', 'envbuilder', 'exectrace'] as const;
export const AgentSubsystem = z.enum(AGENT_SUBSYSTEMS);
export type AgentSubsystem = z.infer<typeof AgentSubsystem>;

export const SCRIPT_STAGES = ['start', 'stop', 'cron'] as const;
export const ScriptStage = z.enum(SCRIPT_STAGES);
export type ScriptStage = z.infer<typeof ScriptStage>;

export const SCRIPT_STATUSES = ['ok', 'exit_failure', 'timed_out', 'pipes_left_open'] as const;
export const ScriptStatus = z.enum(SCRIPT_STATUSES);
export type ScriptStatus = z.infer<typeof ScriptStatus>;

const name = () => z.string().max(256);
const path = () => z.string().max(AGENT_LIMITS.pathMax);
const url = () => z.string().max(8192);
/** Seconds, up to a year. */
const seconds = () => z.int().min(0).max(31_536_000);
const counter = () => z.int().min(0);

/** The answer of the reports that have nothing to say. */
export const Ack = z.object({});
export type Ack = z.infer<typeof Ack>;

/** `interval` in seconds, `threshold` in consecutive failures. An empty `url` or a zero turns the check off. */
export const AgentAppHealthcheck = z.object({ url: url(), interval: seconds(), threshold: z.int().min(0).max(1_000_000) });

export const AgentApp = z.object({
  id: uuid(),
  slug: name(),
  url: url(),
  healthcheck: AgentAppHealthcheck,
  health: AppHealth,
});
export type AgentApp = z.infer<typeof AgentApp>;

/** `timeout` in seconds, 0 for none; `cron` is an expression of five or six fields, empty for none. */
export const AgentScript = z.object({
  id: uuid(),
  log_source_id: uuid(),
  display_name: name(),
  script: z.string().max(AGENT_LIMITS.scriptSourceMax),
  cron: name(),
  run_on_start: z.boolean(),
  run_on_stop: z.boolean(),
  start_blocks_login: z.boolean(),
  timeout: seconds(),
  log_path: path(),
});
export type AgentScript = z.infer<typeof AgentScript>;

/** `interval` in seconds, 0 for once; `timeout` in seconds, 0 for the interval (or 3 s). */
export const AgentMetadataDescription = z.object({
  key: z.string().min(1).max(AGENT_LIMITS.metadataKeyMax),
  display_name: name(),
  script: z.string().max(AGENT_LIMITS.scriptSourceMax),
  interval: seconds(),
  timeout: seconds(),
});
export type AgentMetadataDescription = z.infer<typeof AgentMetadataDescription>;

/** Input of `agentApi.manifest`. */
export const AgentManifestRequest = z.object({});

/** Output of `agentApi.manifest`: all that an agent needs to know about itself. `directory` is not expanded yet. */
export const AgentManifest = z.object({
  agent_id: uuid(),
  agent_name: name(),
  workspace_id: uuid(),
  workspace_name: name(),
  owner_username: name(),
  directory: path(),
  environment: z.record(z.string().max(256), z.string().max(64 * 1024)),
  apps: z.array(AgentApp).max(AGENT_LIMITS.appsMax),
  scripts: z.array(AgentScript).max(AGENT_LIMITS.scriptsMax),
  metadata: z.array(AgentMetadataDescription).max(AGENT_LIMITS.metadataKeysMax),
  access_url: url(),
  motd_file: path(),
  /** Of the server: an agent of another version may fetch the one that the server hands out. Absent or empty from servers that do not say. */
  server_version: z.string().max(128).optional(),
  /** Where a port of the workspace is reached in a browser, with `{{port}}` in it; absent or empty without a domain of apps. */
  port_url: url().optional(),
});
export type AgentManifest = z.infer<typeof AgentManifest>;

/** Input of `agentApi.reportStartup`, sent once for each connection. `version` is a semantic version with a leading `v`. */
export const ReportStartup = z.object({
  version: z
    .string()
    .max(128)
    .regex(/^v\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*)?$/, 'must be a semantic version with a leading v'),
  /** What the agent speaks; absent means 1. */
  protocol_version: z.int().min(1).max(1_000_000).optional(),
  expanded_directory: path(),
  subsystems: z.array(AgentSubsystem).max(AGENT_SUBSYSTEMS.length),
});
export type ReportStartup = z.infer<typeof ReportStartup>;

/** Input of `agentApi.reportLifecycle`. The last report wins; the server accepts any order. */
export const ReportLifecycle = z.object({ state: AgentLifecycle, changed_at: timestamp() });
export type ReportLifecycle = z.infer<typeof ReportLifecycle>;

export const AgentLogLine = z.object({
  created_at: timestamp(),
  level: AgentLogLevel,
  output: z.string().max(AGENT_LIMITS.logOutputMax),
});
export type AgentLogLine = z.infer<typeof AgentLogLine>;

/**
 * Input of `agentApi.reportLogs`: lines of one source, oldest first. `session_id` is the agent's process, which numbers the lines of all
 * its sources from 0 on; `sequence` is the number of the first one here. A line that was stored already is not stored again. Without the
 * two, as older agents report, nobody knows, so all are stored.
 */
export const ReportLogs = z.object({
  log_source_id: uuid(),
  session_id: uuid().optional(),
  sequence: z.int().min(0).max(2_000_000_000).optional(),
  logs: z.array(AgentLogLine).min(1).max(AGENT_LIMITS.logLinesMax),
});
export type ReportLogs = z.infer<typeof ReportLogs>;

/** Output of `agentApi.reportLogs`: `overflowed` means that this agent's space is used up and nothing more is kept. */
export const ReportLogsResult = z.object({ overflowed: z.boolean() });
export type ReportLogsResult = z.infer<typeof ReportLogsResult>;

export const AgentMetadataResult = z.object({
  key: z.string().min(1).max(AGENT_LIMITS.metadataKeyMax),
  value: z.string().max(AGENT_LIMITS.metadataValueMax),
  /** Empty when the script did well. */
  error: z.string().max(AGENT_LIMITS.metadataErrorMax),
  collected_at: timestamp(),
});
export type AgentMetadataResult = z.infer<typeof AgentMetadataResult>;

/** Input of `agentApi.reportMetadata`: at most one result for each key. */
export const ReportMetadata = z.object({ metadata: z.array(AgentMetadataResult).min(1).max(AGENT_LIMITS.metadataKeysMax) });
export type ReportMetadata = z.infer<typeof ReportMetadata>;

/** Input of `agentApi.reportAppHealth`: the apps of the manifest that have a health check. */
export const ReportAppHealth = z.object({
  updates: z
    .array(z.object({ id: uuid(), health: AppHealth }))
    .min(1)
    .max(AGENT_LIMITS.appsMax),
});
export type ReportAppHealth = z.infer<typeof ReportAppHealth>;

/** Input of `agentApi.reportScript`, sent after each run. `exit_code` is 255 when it is not known. */
export const ReportScript = z.object({
  script_id: uuid(),
  started_at: timestamp(),
  ended_at: timestamp(),
  exit_code: z.int().min(-2_147_483_648).max(2_147_483_647),
  stage: ScriptStage,
  status: ScriptStatus,
});
export type ReportScript = z.infer<typeof ReportScript>;

/** Input of `agentApi.reportStats`: counts of open streams now, bytes since the last report. */
export const ReportStats = z.object({
  connection_count: counter(),
  rx_bytes: counter(),
  tx_bytes: counter(),
  session_count_vscode: counter(),
  session_count_jetbrains: counter(),
  session_count_reconnecting_pty: counter(),
  session_count_ssh: counter(),
});
export type ReportStats = z.infer<typeof ReportStats>;

/** Output of `agentApi.reportStats`: when the agent shall report again. */
export const ReportStatsResult = z.object({ interval_ms: z.int().min(1000).max(86_400_000) });
export type ReportStatsResult = z.infer<typeof ReportStatsResult>;

/** A TCP socket that listens inside the workspace. `process_name` is empty when the agent may not see it. */
export const ListeningPort = z.object({
  process_name: z.string().max(256),
  network: z.literal('tcp'),
  port: z.int().min(1).max(65_535),
});
export type ListeningPort = z.infer<typeof ListeningPort>;

/** Answer of `GET /listening-ports` on the tunnel, by port. */
export const ListeningPorts = z.object({ ports: z.array(ListeningPort).max(AGENT_LIMITS.listeningPortsMax) });
export type ListeningPorts = z.infer<typeof ListeningPorts>;
