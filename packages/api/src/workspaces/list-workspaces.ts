import { invalid } from '@berth/core';
import { Prisma } from '@berth/db';
import { parseSearch, WORKSPACE_SEARCH } from '@berth/domain';
import type { z } from 'zod';
import type { FlatResourcesRow } from '../agents/flat-resources.ts';
import { flatResourcesSql, readFlatResources } from '../agents/flat-resources.ts';
import type { RawBuild } from '../builds/build-presenter.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { ListWorkspaces, WorkspacePage } from './contract.ts';
import type { WorkspaceSearchSql } from './search-sql.ts';
import { searchSql } from './search-sql.ts';
import type { WorkspaceSortSql } from './sort-sql.ts';
import { sortSql } from './sort-sql.ts';
import { visibleSql, workspaceScopes } from './visible.ts';
import type { RawWorkspace } from './workspace-presenter.ts';
import { presentWorkspace } from './workspace-presenter.ts';
import { WORKSPACE_JOINS, workspaceJson } from './workspace-sql.ts';

interface PageRow extends FlatResourcesRow {
  readonly count: number;
  readonly workspaces: string;
}

type BareWorkspace = Omit<RawWorkspace, 'latest_build'> & {
  readonly latest_build: Omit<RawBuild, 'resources'>;
};

/** Of the rows of a relation with these columns; no two are equal. */
const orderSql = (relation: 'matching' | 'nearby' | 'page', sort: WorkspaceSortSql | null): Prisma.Sql => {
  const by = Prisma.raw(relation);
  const first = sort === null ? Prisma.sql`${by}.is_favorite DESC, ${by}.is_running DESC` : Prisma.sql`${by}.sort_value ${sort.direction}`;
  return Prisma.sql`${first}, ${by}.owner_sort, ${by}.name, ${by}.id`;
};

interface PageQuery {
  readonly callerId: string;
  readonly visible: Prisma.Sql;
  readonly search: WorkspaceSearchSql;
  readonly sort: WorkspaceSortSql | null;
  readonly limit: number;
  readonly offset: number;
}

/** Where every listed workspace has to be; the index of the order has the same condition. */
const LISTED = Prisma.sql`NOT w.deleted AND w.latest_build_id IS NOT NULL`;
const SORTED = Prisma.sql`w.id, w.is_running, w.latest_build_id, w.owner_sort, lower(w.name) AS name`;

/**
 * Two common tables: `page` with the rows of the page and `total` with the count of all. A limit is a subquery: PostgreSQL would else
 * plan anew for each request, since a known limit makes a plan look cheaper.
 */
function pageSql({ callerId, visible, search, sort, limit, offset }: PageQuery): Prisma.Sql {
  const isFavorite = Prisma.sql`w.favorite AND w.owner_id = ${callerId}::uuid`;
  if (search.condition !== null || sort !== null) {
    // Whoever counts what a search finds has found it. An order by something else needs all that is counted, too.
    return Prisma.sql`matching AS MATERIALIZED (
      SELECT ${SORTED}, ${sort === null ? Prisma.sql`${isFavorite} AS is_favorite` : Prisma.sql`${sort.value} AS sort_value`}
      FROM workspaces w ${search.joins}
      WHERE ${LISTED} AND ${visible} AND ${search.condition ?? Prisma.sql`TRUE`}
    ), page AS (
      SELECT * FROM matching ORDER BY ${orderSql('matching', sort)} LIMIT (SELECT ${limit}::int) OFFSET ${offset}
    ), total AS (SELECT count(*)::int AS count FROM matching)`;
  }
  // The favorites are few; the index has the others in order.
  return Prisma.sql`nearby AS MATERIALIZED (
      (SELECT ${SORTED}, TRUE AS is_favorite FROM workspaces w WHERE ${isFavorite} AND ${LISTED} AND ${visible})
      UNION ALL
      (SELECT ${SORTED}, FALSE AS is_favorite FROM workspaces w WHERE NOT (${isFavorite}) AND ${LISTED} AND ${visible}
        ORDER BY w.is_running DESC, w.owner_sort, lower(w.name), w.id LIMIT (SELECT ${limit + offset}::bigint))
    ), page AS (
      SELECT * FROM nearby ORDER BY ${orderSql('nearby', null)} LIMIT (SELECT ${limit}::int) OFFSET ${offset}
    ), total AS (SELECT count(*)::int AS count FROM workspaces w WHERE ${LISTED} AND ${visible})`;
}

/**
 * A page of the workspaces that the caller may read, by one statement: in the order that is asked for, or their favorites first, then
 * what runs, then by owner and name. `count` is the whole match, also past the end.
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
    withResources: false,
  });
  const { limit, offset } = input;
  const sort = sortSql(input.sort);
  const search = searchSql(parsed.search, { callerId, now, orderReads: sort?.reads });
  const resources = flatResourcesSql(Prisma.sql`ARRAY(
    SELECT b.job_id FROM workspace_builds b WHERE b.id = ANY(ARRAY(SELECT latest_build_id FROM page)))`);
  const [row] = await call.db.$queryRaw<PageRow[]>(Prisma.sql`
    WITH ${pageSql({ callerId, visible: visibleSql(scopes), search, sort, limit, offset })}, ${resources.tables}
    SELECT (SELECT count FROM total) AS count, COALESCE((
      -- One workspace at a time, by its keys: joined to the whole page, the planner reads whole tables.
      SELECT json_agg((SELECT ${json} FROM workspaces w ${WORKSPACE_JOINS} WHERE w.id = page.id) ORDER BY ${orderSql('page', sort)}) FROM page
    ), '[]'::json)::text AS workspaces, ${resources.columns}`);
  if (row === undefined) throw new Error('a count has no row');
  const resourcesOf = readFlatResources(row);
  const workspaces = (JSON.parse(row.workspaces) as BareWorkspace[]).map(({ latest_build: build, ...workspace }) =>
    presentWorkspace({ ...workspace, latest_build: { ...build, resources: resourcesOf.get(build.job.id) ?? [] } }, now),
  );
  return { count: row.count, workspaces };
}
