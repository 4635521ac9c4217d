import { invalid } from '@berth/core';
import { Prisma } from '@berth/db';
import { parseSearch, WORKSPACE_SEARCH } from '@berth/domain';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { ListWorkspaces, WorkspacePage } from './contract.ts';
import { searchSql } from './search-sql.ts';
import { visibleSql, workspaceScopes } from './visible.ts';
import type { RawWorkspace } from './workspace-presenter.ts';
import { presentWorkspace } from './workspace-presenter.ts';
import { WORKSPACE_JOINS, workspaceJson } from './workspace-sql.ts';

interface PageRow {
  readonly count: number;
  readonly workspaces: string;
}

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
  const json = workspaceJson({ callerId, allowRenames: call.services.settings.allowWorkspaceRenames });
  const { joins, condition } = searchSql(parsed.search, { callerId, now });
  const [row] = await call.db.$queryRaw<PageRow[]>(Prisma.sql`
    WITH matching AS MATERIALIZED (
      SELECT w.id, w.favorite AND w.owner_id = ${callerId}::uuid AS is_favorite, w.is_running, lower(o.username) AS owner_name,
        lower(w.name) AS name
      FROM workspaces w JOIN users o ON o.id = w.owner_id ${joins}
      WHERE NOT w.deleted AND w.latest_build_id IS NOT NULL AND ${visibleSql(scopes)} AND ${condition}
    ), page AS (
      SELECT * FROM matching ORDER BY ${orderSql('matching')} LIMIT ${input.limit} OFFSET ${input.offset}
    )
    SELECT (SELECT count(*)::int FROM matching) AS count, COALESCE((
      SELECT json_agg(${json} ORDER BY ${orderSql('page')}) FROM page JOIN workspaces w ON w.id = page.id ${WORKSPACE_JOINS}
    ), '[]'::json)::text AS workspaces`);
  if (row === undefined) throw new Error('a count has no row');
  const raw = JSON.parse(row.workspaces) as RawWorkspace[];
  return { count: row.count, workspaces: raw.map((workspace) => presentWorkspace(workspace, now)) };
}
