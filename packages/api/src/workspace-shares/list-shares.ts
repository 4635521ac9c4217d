import { notFound } from '@berth/core';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { ListShares, WorkspaceShares } from './contract.ts';
import { presentShare, shareSelect } from './presenter.ts';

/** The shares of a workspace that the caller may read, newest first. */
export async function listShares(call: UserCall, input: z.output<typeof ListShares>): Promise<WorkspaceShares> {
  const { db, services } = call;
  const workspace = await db.workspace.findUnique({
    where: { id: input.workspace, deleted: false },
    select: { id: true, ownerId: true, organizationId: true, dormantAt: true },
  });
  if (workspace === null) throw notFound();
  call.authorize.require(workspaceObject(workspace));
  const now = services.clock.now();
  const where = { workspaceId: workspace.id, ...(input.active === true ? { endedAt: null, expiresAt: { gt: now } } : {}) };
  const [rows, count] = await Promise.all([
    db.workspaceShare.findMany({
      where,
      select: shareSelect,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: input.limit,
      skip: input.offset,
    }),
    db.workspaceShare.count({ where }),
  ]);
  return { shares: rows.map((row) => presentShare(row, now)), count };
}
