import { uuid } from '@berth/core';
import { z } from 'zod';
import { order, seconds, slug, text } from './fields.ts';
import { PROVISIONER_LIMITS } from './limits.ts';

export const ProvisionedApp = z.object({
  slug: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by single hyphens'),
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
