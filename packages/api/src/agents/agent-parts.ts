import { Prisma } from '@berth/db';
import { isoSql } from '../kernel/wire-sql.ts';
import type { RawAgent, RawResource } from './agent-presenter.ts';

/** What `BARE_AGENT_JSON` answers. */
export type BareAgent = Omit<RawAgent, 'apps' | 'scripts' | 'log_sources'>;
export type BareResource = Omit<RawResource, 'agents'> & { readonly agents: readonly BareAgent[] };

/** What `agentPartsSql` answers, each as the text of a JSON array. */
export interface AgentPartsRow {
  readonly apps: string;
  readonly scripts: string;
  readonly sources: string;
}

/** The parts of agents, by the id of their agent and each in its order. */
export interface AgentParts {
  readonly apps: ReadonlyMap<string, RawAgent['apps']>;
  readonly scripts: ReadonlyMap<string, RawAgent['scripts']>;
  readonly sources: ReadonlyMap<string, RawAgent['log_sources']>;
}

/**
 * Three columns with the apps, scripts and log sources of all agents of `ids`, a `uuid[]`. Flat, because PostgreSQL copies nested JSON
 * once per level, and starts an aggregate per agent and kind.
 */
export function agentPartsSql(ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    COALESCE((SELECT json_agg(x) FROM (
      SELECT app.agent_id, app.id, app.slug, app.display_name, app.command, app.icon, app.url, app.external, app.subdomain, app.hidden,
        app.sharing_level, app.health,
        json_build_object(
          'url', app.healthcheck_url, 'interval', app.healthcheck_interval, 'threshold', app.healthcheck_threshold) AS healthcheck
      FROM workspace_apps app WHERE app.agent_id = ANY(${ids})
      ORDER BY app.display_order, app.display_name, app.slug) x), '[]'::json)::text AS apps,
    COALESCE((SELECT json_agg(x) FROM (
      SELECT s.agent_id, s.id, s.log_source_id, s.log_path, s.display_name, s.script, s.cron, s.run_on_start, s.run_on_stop,
        s.start_blocks_login, s.timeout_seconds AS timeout
      FROM workspace_agent_scripts s WHERE s.agent_id = ANY(${ids})
      ORDER BY s.display_name, s.id) x), '[]'::json)::text AS scripts,
    COALESCE((SELECT json_agg(x) FROM (
      SELECT source.agent_id, source.id, source.agent_id AS workspace_agent_id, ${isoSql(Prisma.sql`source.created_at`)} AS created_at,
        source.display_name, source.icon
      FROM workspace_agent_log_sources source WHERE source.agent_id = ANY(${ids})
      ORDER BY source.created_at, source.id) x), '[]'::json)::text AS sources`;
}

export function readAgentParts({ apps, scripts, sources }: AgentPartsRow): AgentParts {
  return { apps: byAgent(apps), scripts: byAgent(scripts), sources: byAgent(sources) };
}

export function withAgentParts(resources: readonly BareResource[], { apps, scripts, sources }: AgentParts): RawResource[] {
  return resources.map((resource) => ({
    ...resource,
    agents: resource.agents.map((agent) => ({
      ...agent,
      apps: apps.get(agent.id) ?? [],
      scripts: scripts.get(agent.id) ?? [],
      log_sources: sources.get(agent.id) ?? [],
    })),
  }));
}

function byAgent<T>(text: string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const { agent_id, ...part } of JSON.parse(text) as ({ readonly agent_id: string } & T)[]) {
    const group = groups.get(agent_id);
    if (group === undefined) groups.set(agent_id, [part as T]);
    else group.push(part as T);
  }
  return groups;
}
