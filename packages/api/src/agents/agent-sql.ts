import { Prisma } from '@berth/db';
import { isoSql } from '../kernel/wire-sql.ts';

/**
 * SQL that builds the wire JSON of resources, agents and what hangs on them, for statements that answer a whole workspace or build
 * at once. What depends on the time or on domain rules (status, health, behaviour) is added by `agent-presenter.ts`.
 */

const at = (column: string): Prisma.Sql => isoSql(Prisma.raw(column));

const APPS = Prisma.sql`COALESCE((
  SELECT json_agg(json_build_object(
    'id', app.id, 'slug', app.slug, 'display_name', app.display_name, 'command', app.command, 'icon', app.icon, 'url', app.url,
    'external', app.external, 'subdomain', app.subdomain, 'hidden', app.hidden, 'sharing_level', app.sharing_level, 'health', app.health,
    'healthcheck', json_build_object(
      'url', app.healthcheck_url, 'interval', app.healthcheck_interval, 'threshold', app.healthcheck_threshold)
  ) ORDER BY app.display_order, app.display_name, app.slug)
  FROM workspace_apps app WHERE app.agent_id = a.id), '[]'::json)`;

const SCRIPTS = Prisma.sql`COALESCE((
  SELECT json_agg(json_build_object(
    'id', s.id, 'log_source_id', s.log_source_id, 'log_path', s.log_path, 'display_name', s.display_name, 'script', s.script,
    'cron', s.cron, 'run_on_start', s.run_on_start, 'run_on_stop', s.run_on_stop, 'start_blocks_login', s.start_blocks_login,
    'timeout', s.timeout_seconds
  ) ORDER BY s.display_name, s.id)
  FROM workspace_agent_scripts s WHERE s.agent_id = a.id), '[]'::json)`;

const LOG_SOURCES = Prisma.sql`COALESCE((
  SELECT json_agg(json_build_object(
    'id', source.id, 'workspace_agent_id', source.agent_id, 'created_at', ${at('source.created_at')},
    'display_name', source.display_name, 'icon', source.icon
  ) ORDER BY source.created_at, source.id)
  FROM workspace_agent_log_sources source WHERE source.agent_id = a.id), '[]'::json)`;

const AGENT_FIELDS = Prisma.sql`
  'id', a.id,
  'resource_id', a.resource_id,
  'name', a.name,
  'lifecycle_state', a.lifecycle_state,
  'created_at', ${at('a.created_at')},
  'updated_at', ${at('a.updated_at')},
  'first_connected_at', ${at('a.first_connected_at')},
  'last_connected_at', ${at('a.last_connected_at')},
  'disconnected_at', ${at('a.disconnected_at')},
  'started_at', ${at('a.started_at')},
  'ready_at', ${at('a.ready_at')},
  'latency_ms', a.latency_ms,
  'instance_id', a.instance_id,
  'architecture', a.architecture,
  'operating_system', a.operating_system,
  'environment_variables', a.environment_variables,
  'directory', a.directory,
  'expanded_directory', a.expanded_directory,
  'version', a.version,
  'api_version', a.api_version,
  'connection_timeout_seconds', a.connection_timeout_seconds,
  'troubleshooting_url', a.troubleshooting_url,
  'logs_length', a.logs_length,
  'logs_overflowed', a.logs_overflowed,
  'display_apps', a.display_apps,
  'subsystems', a.subsystems`;

/** `RawAgent` as one `json` expression; the agent's row is in scope as `a`. */
export const AGENT_JSON = Prisma.sql`json_build_object(${AGENT_FIELDS},
  'apps', ${APPS},
  'scripts', ${SCRIPTS},
  'log_sources', ${LOG_SOURCES})`;

/** An agent without what hangs on it, and a resource (in scope as `r`) without agents: of many at once, `flatResourcesSql` answers these. */
export const BARE_AGENT_JSON = Prisma.sql`json_build_object(${AGENT_FIELDS})`;

const RESOURCE_FIELDS = Prisma.sql`
  'id', r.id, 'job_id', r.job_id, 'created_at', ${at('r.created_at')}, 'workspace_transition', r.transition, 'type', r.type,
  'name', r.name, 'icon', r.icon, 'hide', r.hide, 'daily_cost', r.daily_cost, 'metadata', r.metadata`;
export const BARE_RESOURCE_JSON = Prisma.sql`json_build_object(${RESOURCE_FIELDS})`;

/**
 * `RawResource[]` of one job as one `json` expression: by the smallest order of an agent, then by name. `transition` narrows the
 * resources of an import, which has some for `start` and some for `stop`.
 */
export function resourcesJson(jobId: Prisma.Sql, { transition }: { readonly transition?: Prisma.Sql } = {}): Prisma.Sql {
  const narrowed = transition === undefined ? Prisma.empty : Prisma.sql`AND r.transition = ${transition}`;
  return Prisma.sql`COALESCE((
  SELECT json_agg(json_build_object(${RESOURCE_FIELDS}, 'agents', COALESCE(held.agents, '[]'::json)) ORDER BY held.display_order NULLS LAST, r.name, r.id)
  FROM workspace_resources r
  LEFT JOIN LATERAL (
    SELECT min(a.display_order) AS display_order, json_agg(${AGENT_JSON} ORDER BY a.display_order, a.name) AS agents
    FROM workspace_agents a WHERE a.resource_id = r.id
  ) held ON TRUE
  WHERE r.job_id = ${jobId} ${narrowed}), '[]'::json)`;
}
