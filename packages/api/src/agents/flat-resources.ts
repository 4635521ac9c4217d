import { Prisma } from '@berth/db';
import { isoSql } from '../kernel/wire-sql.ts';
import type { RawAgent, RawResource } from './agent-presenter.ts';
import { BARE_AGENT_JSON, BARE_RESOURCE_JSON } from './agent-sql.ts';

/** What the columns of `flatResourcesSql` answer, each as the text of a JSON array. */
export interface FlatResourcesRow {
  readonly resources: string;
  readonly agents: string;
  readonly apps: string;
  readonly scripts: string;
  readonly sources: string;
}

/**
 * The resources of many jobs, with their agents and what hangs on these, for a statement that answers many builds: common tables, and
 * columns that read them. Flat, because PostgreSQL copies nested JSON once per level, and starts an aggregate for each resource, agent
 * and kind of part. By arrays: whatever the number of jobs, each step looks up its own rows.
 */
export function flatResourcesSql(jobIds: Prisma.Sql): { readonly tables: Prisma.Sql; readonly columns: Prisma.Sql } {
  const resourceIds = Prisma.sql`(SELECT ids FROM held_resources)::uuid[]`;
  const agentIds = Prisma.sql`(SELECT ids FROM held_agents)::uuid[]`;
  return {
    tables: Prisma.sql`
      held_resources AS MATERIALIZED (
        SELECT ARRAY(SELECT r.id FROM workspace_resources r WHERE r.job_id = ANY(${jobIds})) AS ids
      ), held_agents AS MATERIALIZED (
        SELECT ARRAY(SELECT a.id FROM workspace_agents a WHERE a.resource_id = ANY(${resourceIds})) AS ids
      )`,
    columns: Prisma.sql`
      COALESCE((SELECT json_agg(${BARE_RESOURCE_JSON} ORDER BY r.name, r.id)
        FROM workspace_resources r WHERE r.id = ANY(${resourceIds})), '[]'::json)::text AS resources,
      COALESCE((SELECT json_agg(json_build_array(a.display_order, ${BARE_AGENT_JSON}) ORDER BY a.display_order, a.name)
        FROM workspace_agents a WHERE a.id = ANY(${agentIds})), '[]'::json)::text AS agents,
      COALESCE((SELECT json_agg(x) FROM (
        SELECT app.agent_id, app.id, app.slug, app.display_name, app.command, app.icon, app.url, app.external, app.subdomain, app.hidden,
          app.sharing_level, app.health,
          json_build_object(
            'url', app.healthcheck_url, 'interval', app.healthcheck_interval, 'threshold', app.healthcheck_threshold) AS healthcheck
        FROM workspace_apps app WHERE app.agent_id = ANY(${agentIds})
        ORDER BY app.display_order, app.display_name, app.slug) x), '[]'::json)::text AS apps,
      COALESCE((SELECT json_agg(x) FROM (
        SELECT s.agent_id, s.id, s.log_source_id, s.log_path, s.display_name, s.script, s.cron, s.run_on_start, s.run_on_stop,
          s.start_blocks_login, s.timeout_seconds AS timeout
        FROM workspace_agent_scripts s WHERE s.agent_id = ANY(${agentIds})
        ORDER BY s.display_name, s.id) x), '[]'::json)::text AS scripts,
      COALESCE((SELECT json_agg(x) FROM (
        SELECT source.agent_id, source.id, source.agent_id AS workspace_agent_id, ${isoSql(Prisma.sql`source.created_at`)} AS created_at,
          source.display_name, source.icon
        FROM workspace_agent_log_sources source WHERE source.agent_id = ANY(${agentIds})
        ORDER BY source.created_at, source.id) x), '[]'::json)::text AS sources`,
  };
}

type BareAgent = Omit<RawAgent, 'apps' | 'scripts' | 'log_sources'>;
type BareResource = Omit<RawResource, 'agents'>;

/** The resources of each job, by its id: as `resourcesJson` answers them for one. */
export function readFlatResources(row: FlatResourcesRow): ReadonlyMap<string, RawResource[]> {
  const apps = byAgent<RawAgent['apps'][number]>(row.apps);
  const scripts = byAgent<RawAgent['scripts'][number]>(row.scripts);
  const sources = byAgent<RawAgent['log_sources'][number]>(row.sources);
  const agentsOf = new Map<string, { readonly first: number; readonly agents: RawAgent[] }>();
  for (const [displayOrder, agent] of JSON.parse(row.agents) as [number, BareAgent][]) {
    const whole = {
      ...agent,
      apps: apps.get(agent.id) ?? [],
      scripts: scripts.get(agent.id) ?? [],
      log_sources: sources.get(agent.id) ?? [],
    };
    const held = agentsOf.get(agent.resource_id);
    if (held === undefined) agentsOf.set(agent.resource_id, { first: displayOrder, agents: [whole] });
    else held.agents.push(whole);
  }
  const byJob = Map.groupBy(JSON.parse(row.resources) as BareResource[], (resource) => resource.job_id);
  // They come by name; what has agents comes first, by the smallest order of an agent.
  const order = ({ id }: BareResource): number => agentsOf.get(id)?.first ?? Number.POSITIVE_INFINITY;
  return new Map(
    [...byJob].map(([jobId, resources]) => [
      jobId,
      resources
        .toSorted((a, b) => compare(order(a), order(b)))
        .map((resource) => ({ ...resource, agents: agentsOf.get(resource.id)?.agents ?? [] })),
    ]),
  );
}

/** Infinity less infinity is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
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
