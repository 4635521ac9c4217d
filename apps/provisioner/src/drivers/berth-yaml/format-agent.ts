import { DisplayApp } from '@berth/protocol';
import { z } from 'zod';
import { data, displayName, environment, fixed, icon, identifier, metadataKey, order, seconds, shell } from './format-text.ts';

const AppFormat = z.strictObject({
  slug: fixed(32).regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by single hyphens'),
  display_name: displayName(),
  icon: icon(),
  url: data(2048).default('').describe('What is opened: http://localhost:PORT inside the workspace, or any address when external.'),
  command: shell(4096).default('').describe('Run in a terminal, instead of a url.'),
  external: z.boolean().default(false).describe('Opened by the browser itself, not through the server.'),
  subdomain: z.boolean().default(false).describe('Served on a host name of its own; by default on a path.'),
  hidden: z.boolean().default(false),
  share: z.enum(['owner', 'authenticated', 'public']).default('owner'),
  order: order(),
  healthcheck: z
    .strictObject({
      url: data(2048).min(1),
      interval: z.int().min(1).max(3600).default(5).describe('Seconds between two checks.'),
      threshold: z.int().min(1).max(100).default(6).describe('Failed checks until it is called unhealthy.'),
    })
    .optional(),
});
export type AppFormat = z.output<typeof AppFormat>;

const ScriptFormat = z.strictObject({
  display_name: fixed(128).min(1),
  icon: icon(),
  script: shell(64 * 1024)
    .min(1)
    .describe('Run by a shell. Parameters are in its environment as BERTH_PARAM_<NAME>.'),
  run_on_start: z.boolean().default(false),
  run_on_stop: z.boolean().default(false),
  cron: fixed(128).default('').describe('Five fields: minute, hour, day of month, month, day of week.'),
  start_blocks_login: z.boolean().default(false).describe('The workspace is ready only after it.'),
  timeout: seconds(0).describe('Seconds; 0: none.'),
  log_path: fixed(1024).default(''),
});
export type ScriptFormat = z.output<typeof ScriptFormat>;

/** The agent of a resource and all that it looks after. */
export const AgentFormat = z.strictObject({
  name: identifier(64).default('main'),
  directory: data(1024).default('').describe('Where shells and scripts start; ~ is the home.'),
  env: environment(),
  apps: z.array(AppFormat).max(32).default([]),
  scripts: z.array(ScriptFormat).max(32).default([]),
  metadata: z
    .array(
      z.strictObject({
        key: metadataKey(),
        display_name: displayName(),
        script: shell(16 * 1024)
          .min(1)
          .describe('Its output is the value.'),
        interval: z.int().min(1).max(86_400).default(10).describe('Seconds between two runs.'),
        timeout: z.int().min(1).max(3600).default(5).describe('Seconds one run may take.'),
        order: z.int().min(-10_000).max(10_000).optional().describe('Lower comes first. By default the place in this file.'),
      }),
    )
    .max(32)
    .default([])
    .describe('What is measured again and again and shown beside the agent.'),
  display_apps: z.array(DisplayApp).max(8).default(['vscode', 'web_terminal', 'port_forwarding_helper', 'ssh_helper']),
  connection_timeout: seconds(120).describe('Seconds after which an agent that did not connect is called timed out; 0: never.'),
  troubleshooting_url: fixed(2048).default(''),
  motd_file: fixed(1024).default('').describe('A file in the workspace that is shown at the start of each shell.'),
  order: order(),
});
export type AgentFormat = z.output<typeof AgentFormat>;
