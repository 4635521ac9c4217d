import { invalid } from '@berth/core';
import { Prisma } from '@berth/db';
import { parseSearch, WORKSPACE_SEARCH } from '@berth/domain';
import type { z } from 'zod';
import type { AgentPartsRow, BareResource } from '../agents/agent-parts.ts';
import { agentPartsSql, readAgentParts, withAgentParts } from '../agents/agent-parts.ts';
import { BARE_AGENT_JSON } from '../agents/agent-sql.ts';
import type { RawBuild } from '../builds/build-presenter.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { ListWorkspaces, WorkspacePage } from './contract.ts';
import { searchSql } from './search-sql.ts';
import { visibleSql, workspaceScopes } from './visible.ts';
import type { RawWorkspace } from './workspace-presenter.ts';
import { presentWorkspace } from './workspace-presenter.ts';
import { WORKSPACE_JOINS, workspaceJson } from './workspace-sql.ts';

interface PageRow extends AgentPartsRow {
  readonly count: number;
  readonly workspaces: string;
}

type BareWorkspace = Omit<RawWorkspace, 'latest_build'> & {
  readonly latest_build: Omit<RawBuild, 'resources'> & { readonly resources: readonly BareResource[] };
};

/** Of the rows of a relation with these columns; no two are equal. */
const orderSql = (relation: 'matching' | 'page'): Prisma.Sql => {
  const by = Prisma.raw(relation);
  return Prisma.sql`${by}.is_favorite DESC, ${by}.is_running DESC, ${by}.owner_name, ${by}.name, ${by}.id`;
};

/**
 * A page of the workspaces that the caller may read, by one statement: their favorites first, then what runs, then by owner and
 * name. `count` is the whole match, also past the end.
 */
export async function listWorkspaces(call: UserCall, input: z.output<typeof ListWorkspaces>): Promise<WorkspacePage> {
  const scopes = workspaceScopes(call.authorize);
  const parsed = parseSearch(input.q ?? '', WORKSPACE_SEARCH);
  if (!parsed.ok) throw invalid('The search query is invalid.', parsed.problems);
  const callerId = call.principal.userId;
  const now = call.services.clock.now();
  const json = workspaceJson({
    callerId,
    allowRenames: call.services.settings.allowWorkspaceRenames,
    agentJson: BARE_AGENT_JSON,
  });
  const { joins, condition } = searchSql(parsed.search, { callerId, now });
  const [row] = await call.db.$queryRaw<PageRow[]>(Prisma.sql`
    WITH matching AS MATERIALIZED (
      SELECT w.id, w.favorite AND w.owner_id = ${callerId}::uuid AS is_favorite, w.is_running, w.latest_build_id,
        lower(o.username) AS owner_name, lower(w.name) AS name
      FROM workspaces w JOIN users o ON o.id = w.owner_id ${joins}
      WHERE NOT w.deleted AND w.latest_build_id IS NOT NULL AND ${visibleSql(scopes)} AND ${condition}
    ), page AS (
      -- The limit as a subquery: PostgreSQL would else plan anew for each request, since a known limit makes a plan look cheaper.
      SELECT * FROM matching ORDER BY ${orderSql('matching')} LIMIT (SELECT ${input.limit}::int) OFFSET ${input.offset}
    ), agents AS MATERIALIZED (
      -- By arrays: whatever the size of the page, each step looks up its own rows.
      SELECT ARRAY(SELECT a.id FROM workspace_agents a WHERE a.resource_id = ANY(ARRAY(
        SELECT r.id FROM workspace_resources r WHERE r.job_id = ANY(ARRAY(
          SELECT b.job_id FROM workspace_builds b WHERE b.id = ANY(ARRAY(SELECT latest_build_id FROM page))))))) AS ids
    )
    SELECT (SELECT count(*)::int FROM matching) AS count, COALESCE((
      -- One workspace at a time, by its keys: joined to the whole page, the planner reads whole tables.
      SELECT json_agg((SELECT ${json} FROM workspaces w ${WORKSPACE_JOINS} WHERE w.id = page.id) ORDER BY ${orderSql('page')}) FROM page
    ), '[]'::json)::text AS workspaces, ${agentPartsSql(Prisma.sql`(SELECT ids FROM agents)::uuid[]`)}`);
  if (row === undefined) throw new Error('a count has no row');
  const parts = readAgentParts(row);
  const workspaces = (JSON.parse(row.workspaces) as BareWorkspace[]).map(({ latest_build: build, ...workspace }) =>
    presentWorkspace({ ...workspace, latest_build: { ...build, resources: withAgentParts(build.resources, parts) } }, now),
  );
  return { count: row.count, workspaces };
}
