import { invalidField, isUuid, notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { WorkspaceFacts } from '@berth/rbac';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { BUILD_JOINS, BUILD_JSON } from './build-sql.ts';
import type { RawBuild } from './build-presenter.ts';
import { presentBuild } from './build-presenter.ts';
import type { BuildByNumberPath, BuildPath, ListBuilds, WorkspaceBuild } from './contract.ts';

/** What a reading call needs; a whole `UserCall` fits. */
export type ReadCall = Pick<UserCall, 'db' | 'services' | 'authorize' | 'principal'>;

interface BuildRow extends WorkspaceFacts {
  readonly id: string;
  readonly build: string;
}

const WORKSPACE_FACTS = Prisma.sql`w.id, w.owner_id AS "ownerId", w.organization_id AS "organizationId", w.dormant_at AS "dormantAt"`;

/** One build with everything in it, by one statement; null when there is none. Says nothing about who may see it. */
async function selectBuild(db: Tx, condition: Prisma.Sql): Promise<BuildRow | undefined> {
  const [row] = await db.$queryRaw<BuildRow[]>(Prisma.sql`
    SELECT ${WORKSPACE_FACTS}, (${BUILD_JSON})::text AS build
    FROM workspace_builds b JOIN workspaces w ON w.id = b.workspace_id ${BUILD_JOINS}
    WHERE ${condition}`);
  return row;
}

/** The JSON that our own statement made. */
function parseBuild(text: string): RawBuild {
  return JSON.parse(text) as RawBuild;
}

function requireReadable(call: ReadCall, row: BuildRow | undefined): WorkspaceBuild {
  if (row === undefined) throw notFound();
  call.authorize.require(workspaceObject(row));
  return presentBuild(parseBuild(row.build), call.services.clock.now());
}

/** A build that the caller may read, also of a deleted workspace. */
export async function getBuild(call: ReadCall, { workspacebuild }: z.output<typeof BuildPath>): Promise<WorkspaceBuild> {
  return requireReadable(call, await selectBuild(call.db, Prisma.sql`b.id = ${workspacebuild}::uuid`));
}

/** A build of this request's own making: the caller's rights to it are known. */
export async function loadOwnBuild(call: Pick<UserCall, 'db' | 'services'>, buildId: string): Promise<WorkspaceBuild> {
  const row = await selectBuild(call.db, Prisma.sql`b.id = ${buildId}::uuid`);
  if (row === undefined) throw new Error('a build that was just made is not there');
  return presentBuild(parseBuild(row.build), call.services.clock.now());
}

/** A build by the number it has in a workspace that is not deleted. */
export async function getBuildByNumber(call: ReadCall, input: z.output<typeof BuildByNumberPath>): Promise<WorkspaceBuild> {
  const owner = userParamSql(input.user, call.principal.userId);
  const row = await selectBuild(
    call.db,
    Prisma.sql`${owner} AND NOT w.deleted AND lower(w.name) = lower(${input.workspacename}) AND b.build_number = ${input.buildnumber}`,
  );
  return requireReadable(call, row);
}

/** The living user `o` that a `{user}` parameter names, as a condition. Whether the caller may know is decided by what is found. */
export function userParamSql(param: string, callerId: string): Prisma.Sql {
  if (param === 'me') return Prisma.sql`o.id = ${callerId}::uuid`;
  const named = isUuid(param) ? Prisma.sql`o.id = ${param}::uuid` : Prisma.sql`lower(o.username) = lower(${param})`;
  return Prisma.sql`NOT o.deleted AND ${named}`;
}

interface ListRow extends WorkspaceFacts {
  readonly cursor: number | null;
  readonly builds: string;
}

/** The builds of a workspace, newest first, by one statement; of a deleted one too. */
export async function listBuilds(call: ReadCall, input: z.output<typeof ListBuilds>): Promise<WorkspaceBuild[]> {
  const cursor =
    input.after_id === undefined
      ? Prisma.sql`NULL::integer`
      : Prisma.sql`(SELECT seen.build_number FROM workspace_builds seen WHERE seen.id = ${input.after_id}::uuid AND seen.workspace_id = w.id)`;
  const older = input.after_id === undefined ? Prisma.empty : Prisma.sql`AND made.build_number < ${cursor}`;
  const since = input.since === undefined ? Prisma.empty : Prisma.sql`AND made.created_at > ${input.since}::timestamptz`;
  const [row] = await call.db.$queryRaw<ListRow[]>(Prisma.sql`
    SELECT ${WORKSPACE_FACTS}, ${cursor} AS cursor, COALESCE((
      SELECT json_agg(${BUILD_JSON} ORDER BY b.build_number DESC)
      FROM (
        SELECT made.* FROM workspace_builds made WHERE made.workspace_id = w.id ${older} ${since}
        ORDER BY made.build_number DESC LIMIT ${input.limit} OFFSET ${input.offset}
      ) b ${BUILD_JOINS}), '[]'::json)::text AS builds
    FROM workspaces w WHERE w.id = ${input.workspace}::uuid`);
  if (row === undefined) throw notFound();
  call.authorize.require(workspaceObject(row));
  if (input.after_id !== undefined && row.cursor === null) throw invalidField('after_id', 'is not a build of this workspace');
  const now = call.services.clock.now();
  return (JSON.parse(row.builds) as RawBuild[]).map((build) => presentBuild(build, now));
}
