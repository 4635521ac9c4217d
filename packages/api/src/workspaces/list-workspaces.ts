import { invalid } from '@berth/core';
import { Prisma } from '@berth/db';
import { parseSearch, WORKSPACE_SEARCH } from '@berth/domain';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { jobStatusSql } from '../provisioner-jobs/index.ts';
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
  const [row] = await call.db.$queryRaw<PageRow[]>(Prisma.sql`
    WITH matching AS MATERIALIZED (
      SELECT w.id, w.favorite AND w.owner_id = ${callerId}::uuid AS is_favorite,
        b.transition = 'start' AND ${jobStatusSql('j')} = 'succeeded' AS is_running, lower(o.username) AS owner_name, lower(w.name) AS name
      FROM workspaces w
        JOIN users o ON o.id = w.owner_id
        JOIN organizations org ON org.id = w.organization_id
        JOIN templates t ON t.id = w.template_id
        JOIN workspace_builds b ON b.id = w.latest_build_id
        JOIN provisioner_jobs j ON j.id = b.job_id
      WHERE NOT w.deleted AND ${visibleSql(scopes)} AND ${searchSql(parsed.search, { callerId, now })}
    ), page AS (
      SELECT id, row_number() OVER (ORDER BY is_favorite DESC, is_running DESC, owner_name, name, id) AS rank
      FROM matching ORDER BY rank LIMIT ${input.limit} OFFSET ${input.offset}
    )
    SELECT (SELECT count(*)::int FROM matching) AS count, COALESCE((
      SELECT json_agg(${json} ORDER BY page.rank) FROM page JOIN workspaces w ON w.id = page.id ${WORKSPACE_JOINS}
    ), '[]'::json)::text AS workspaces`);
  if (row === undefined) throw new Error('a count has no row');
  const raw = JSON.parse(row.workspaces) as RawWorkspace[];
  return { count: row.count, workspaces: raw.map((workspace) => presentWorkspace(workspace, now)) };
}
