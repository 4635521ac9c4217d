import { notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import { userParamSql } from '../builds/index.ts';
import type { Services, UserPrincipal } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { GetWorkspace, GetWorkspaceByName, Workspace } from './contract.ts';
import type { RawWorkspace } from './workspace-presenter.ts';
import { presentWorkspace } from './workspace-presenter.ts';
import { WORKSPACE_JOINS, workspaceJson } from './workspace-sql.ts';

export interface WorkspaceReader {
  readonly db: Tx;
  readonly services: Services;
  readonly principal: Pick<UserPrincipal, 'userId'>;
}

export interface WorkspaceRow {
  readonly id: string;
  readonly ownerId: string;
  readonly organizationId: string;
  readonly dormantAt: Date | null;
  readonly deleted: boolean;
  /** The JSON as SQL made it, for `presentText`; equal texts mean that nothing changed. */
  readonly text: string;
}

/** One workspace with everything in it, by one statement; undefined when there is none. Says nothing about who may see it. */
export async function selectWorkspace(reader: WorkspaceReader, condition: Prisma.Sql): Promise<WorkspaceRow | undefined> {
  const json = workspaceJson({ callerId: reader.principal.userId, allowRenames: reader.services.settings.allowWorkspaceRenames });
  const [row] = await reader.db.$queryRaw<WorkspaceRow[]>(Prisma.sql`
    SELECT w.id, w.owner_id AS "ownerId", w.organization_id AS "organizationId", w.dormant_at AS "dormantAt", w.deleted,
      (${json})::text AS text
    FROM workspaces w ${WORKSPACE_JOINS}
    WHERE ${condition}`);
  return row;
}

/** The wire form of what `selectWorkspace` answered, at `now`. */
export function presentText(text: string, now: Date): Workspace {
  return presentWorkspace(JSON.parse(text) as RawWorkspace, now);
}

function requireShown(call: UserCall, row: WorkspaceRow | undefined, includeDeleted: boolean): Workspace {
  if (row === undefined) throw notFound();
  call.authorize.require(workspaceObject(row));
  if (row.deleted && !includeDeleted) throw notFound();
  return presentText(row.text, call.services.clock.now());
}

/** A workspace that the caller may read; a deleted one only if asked for. */
export async function getWorkspace(call: UserCall, input: z.output<typeof GetWorkspace>): Promise<Workspace> {
  return requireShown(call, await selectWorkspace(call, Prisma.sql`w.id = ${input.workspace}::uuid`), input.include_deleted);
}

/** The owner's workspace of that name; if asked for and there is no living one, the deleted one that was made last. */
export async function getWorkspaceByOwnerAndName(call: UserCall, input: z.output<typeof GetWorkspaceByName>): Promise<Workspace> {
  const living = input.include_deleted ? Prisma.empty : Prisma.sql`AND NOT x.deleted`;
  const row = await selectWorkspace(
    call,
    Prisma.sql`w.id = (
      SELECT x.id FROM workspaces x JOIN users o ON o.id = x.owner_id
      WHERE ${userParamSql(input.user, call.principal.userId)} AND lower(x.name) = lower(${input.workspacename}) ${living}
      ORDER BY x.deleted, x.created_at DESC LIMIT 1)`,
  );
  return requireShown(call, row, input.include_deleted);
}

/** A workspace of this request's own making: the caller's rights to it are known. */
export async function loadOwnWorkspace(call: UserCall, id: string): Promise<Workspace> {
  const row = await selectWorkspace(call, Prisma.sql`w.id = ${id}::uuid`);
  if (row === undefined) throw new Error('a workspace that was just made is not there');
  return presentText(row.text, call.services.clock.now());
}
