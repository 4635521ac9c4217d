import { queryBool, queryInt, timestamp, uuid } from '@berth/core';
import {
  AGENT_LIFECYCLE_STATES,
  AGENT_STATUSES,
  AGENT_SUBSYSTEMS,
  APP_HEALTHS,
  DISPLAY_APPS,
  LOG_LEVELS,
  SHARING_LEVELS,
  STARTUP_SCRIPT_BEHAVIORS,
  TRANSITIONS,
} from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

/** Log lines in one answer at most; the caller goes on with `after`. */
export const AGENT_LOG_PAGE_MAX = 10_000;

export const WorkspaceApp = z
  .object({
    id: uuid(),
    slug: z.string(),
    display_name: z.string(),
    command: z.string(),
    icon: z.string(),
    url: z.string(),
    external: z.boolean(),
    subdomain: z.boolean(),
    subdomain_name: z.string(),
    hidden: z.boolean(),
    sharing_level: z.enum(SHARING_LEVELS),
    health: z.enum(APP_HEALTHS),
    healthcheck: z.object({ url: z.string(), interval: z.int(), threshold: z.int() }).meta({
      id: 'Healthcheck',
      description: '`interval` in seconds; `threshold` consecutive failures make the app unhealthy.',
    }),
  })
  .meta({
    id: 'WorkspaceApp',
    description: 'Something that an agent serves, opened from the dashboard.',
  });
export type WorkspaceApp = z.output<typeof WorkspaceApp>;

export const WorkspaceAgentLogSource = z
  .object({
    id: uuid(),
    workspace_agent_id: uuid(),
    created_at: timestamp(),
    display_name: z.string(),
    icon: z.string(),
  })
  .meta({ id: 'WorkspaceAgentLogSource' });
export type WorkspaceAgentLogSource = z.output<typeof WorkspaceAgentLogSource>;

export const WorkspaceAgentScript = z
  .object({
    id: uuid(),
    log_source_id: uuid(),
    log_path: z.string(),
    display_name: z.string(),
    script: z.string(),
    cron: z.string(),
    run_on_start: z.boolean(),
    run_on_stop: z.boolean(),
    start_blocks_login: z.boolean(),
    timeout: z.int().meta({ description: 'Seconds; 0 for none.' }),
  })
  .meta({ id: 'WorkspaceAgentScript' });
export type WorkspaceAgentScript = z.output<typeof WorkspaceAgentScript>;

export const WorkspaceAgent = z
  .object({
    id: uuid(),
    resource_id: uuid(),
    name: z.string(),
    status: z.enum(AGENT_STATUSES),
    lifecycle_state: z.enum(AGENT_LIFECYCLE_STATES),
    health: z
      .object({
        healthy: z.boolean(),
        reason: z.string().meta({ description: 'Empty while healthy.' }),
      })
      .meta({ id: 'WorkspaceAgentHealth' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    first_connected_at: timestamp().nullable(),
    last_connected_at: timestamp().nullable(),
    disconnected_at: timestamp().nullable(),
    started_at: timestamp().nullable(),
    ready_at: timestamp().nullable(),
    instance_id: z.string(),
    architecture: z.string(),
    operating_system: z.string(),
    environment_variables: z.record(z.string(), z.string()),
    directory: z.string(),
    expanded_directory: z.string(),
    version: z.string(),
    api_version: z.string(),
    connection_timeout_seconds: z.int(),
    troubleshooting_url: z.string(),
    startup_script_behavior: z.enum(STARTUP_SCRIPT_BEHAVIORS),
    latency: z.record(z.string(), z.object({ preferred: z.boolean(), latency_ms: z.number() })).meta({
      description: 'Of a connected agent: `Berth`, the round trip between the server and the agent, measured once a minute.',
    }),
    logs_length: z.int().meta({ description: 'Bytes of log output kept.' }),
    logs_overflowed: z.boolean(),
    display_apps: z.array(z.enum(DISPLAY_APPS)),
    subsystems: z.array(z.enum(AGENT_SUBSYSTEMS)),
    apps: z.array(WorkspaceApp),
    log_sources: z.array(WorkspaceAgentLogSource),
    scripts: z.array(WorkspaceAgentScript),
  })
  .meta({
    id: 'WorkspaceAgent',
    description: 'The process inside a workspace that serves terminals, apps, logs and metadata.',
  });
export type WorkspaceAgent = z.output<typeof WorkspaceAgent>;

export const WorkspaceResourceMetadata = z
  .object({ key: z.string(), value: z.string(), sensitive: z.boolean() })
  .meta({ id: 'WorkspaceResourceMetadata' });

export const WorkspaceResource = z
  .object({
    id: uuid(),
    job_id: uuid(),
    created_at: timestamp(),
    workspace_transition: z.enum(TRANSITIONS),
    type: z.string(),
    name: z.string(),
    icon: z.string(),
    hide: z.boolean(),
    daily_cost: z.int(),
    metadata: z.array(WorkspaceResourceMetadata),
    agents: z.array(WorkspaceAgent),
  })
  .meta({
    id: 'WorkspaceResource',
    description: 'Something that a job made: what holds the agents, and what they use.',
  });
export type WorkspaceResource = z.output<typeof WorkspaceResource>;

export const WorkspaceAgentLog = z
  .object({
    id: z.int(),
    created_at: timestamp(),
    level: z.enum(LOG_LEVELS),
    output: z.string(),
    source_id: uuid(),
  })
  .meta({ id: 'WorkspaceAgentLog' });
export type WorkspaceAgentLog = z.output<typeof WorkspaceAgentLog>;

const WorkspaceAgentListeningPort = z
  .object({ process_name: z.string(), network: z.string(), port: z.int() })
  .meta({ id: 'WorkspaceAgentListeningPort', description: '`process_name` may be empty.' });

export const WorkspaceAgentListeningPorts = z
  .object({
    ports: z.array(WorkspaceAgentListeningPort),
    hidden: z
      .array(
        WorkspaceAgentListeningPort.extend({
          reason: z.enum(['app', 'well_known']).meta({ description: '`app`: a declared app has this port.' }),
          app_slugs: z.array(z.string()).meta({ description: 'The apps on this port; empty for a well-known service.' }),
        }).meta({ id: 'WorkspaceAgentHiddenPort', description: 'A listening port that `ports` leaves out, and why.' }),
      )
      .meta({ description: 'Ports of declared apps and of well-known services.' }),
  })
  .meta({ id: 'WorkspaceAgentListeningPortsResponse' });
export type WorkspaceAgentListeningPorts = z.output<typeof WorkspaceAgentListeningPorts>;

export const WorkspaceAgentMetadatum = z
  .object({
    result: z.object({
      collected_at: timestamp().nullable(),
      age: z.int().meta({ description: 'Seconds since the value was collected; 0 if it never was.' }),
      value: z.string(),
      error: z.string(),
    }),
    description: z.object({
      display_name: z.string(),
      key: z.string(),
      script: z.string(),
      interval: z.int().meta({ description: 'Seconds.' }),
      timeout: z.int().meta({ description: 'Seconds.' }),
    }),
  })
  .meta({
    id: 'WorkspaceAgentMetadata',
    description: 'One value that an agent collects again and again.',
  });
export type WorkspaceAgentMetadatum = z.output<typeof WorkspaceAgentMetadatum>;

export const AgentPath = z.object({ workspaceagent: uuid() });

const LogId = queryInt(0, Number.MAX_SAFE_INTEGER);

export const ListAgentLogs = AgentPath.extend({
  before: LogId.optional().meta({ description: 'Only lines with a smaller id.' }),
  after: LogId.optional().meta({ description: 'Only lines with a greater id.' }),
  follow: queryBool().optional().meta({ description: 'Upgrade to a WebSocket and go on with new lines.' }),
  no_compression: queryBool().optional().meta({ description: 'Turns WebSocket compression off.' }),
});

/** `lastEventId` is what tRPC sends when a subscription resumes: the id of the last line seen. */
export const FollowAgentLogs = AgentPath.extend({
  after: z.int().min(0).optional(),
  lastEventId: z.string().max(20).nullish(),
});

export const routes = {
  get: route({
    method: 'GET',
    path: '/workspaceagents/{workspaceagent}',
    tag: 'Agents',
    id: 'get-workspace-agent-by-id',
    summary: 'Get a workspace agent',
    errors: ['not_found'],
  }),
  logs: route({
    method: 'GET',
    path: '/workspaceagents/{workspaceagent}/logs',
    tag: 'Agents',
    id: 'get-logs-by-workspace-agent',
    summary: 'Get the logs of a workspace agent',
    description: `Oldest first, ${AGENT_LOG_PAGE_MAX} lines at most: go on with \`after\`. With \`follow\`, a WebSocket that sends an array of lines per message.`,
    errors: ['not_found'],
  }),
  listeningPorts: route({
    method: 'GET',
    path: '/workspaceagents/{workspaceagent}/listening-ports',
    tag: 'Agents',
    id: 'get-listening-ports-for-workspace-agent',
    summary: 'Get the ports that processes in the workspace listen on',
    description:
      'The agent must be connected. `ports` leaves out ports of declared apps and of well-known services; those are in `hidden`.',
    errors: ['not_found', 'unavailable'],
  }),
};
