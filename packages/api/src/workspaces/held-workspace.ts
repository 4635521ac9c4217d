import { notFound } from '@berth/core';
import type { Prisma, Workspace } from '@berth/db';
import { workspaceObject } from '@berth/rbac';
import { workspaceChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { auditOf } from './audit.ts';

/**
 * The row of a living workspace that the caller may do the procedure's action to, locked until the transaction ends. Names it in the
 * audit, so that a refusal from here on is recorded.
 */
export async function holdWorkspace(call: UserCall, id: string): Promise<Workspace> {
  await call.db.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`;
  const workspace = await call.db.workspace.findUnique({ where: { id, deleted: false } });
  if (workspace === null) throw notFound();
  call.audit.set({ resourceId: workspace.id, target: workspace.name, organizationId: workspace.organizationId });
  call.authorize.require(workspaceObject(workspace));
  return workspace;
}

/** The settings of a workspace that a change may name. */
type WorkspaceSettings = Partial<
  Pick<
    Prisma.WorkspaceUncheckedUpdateInput,
    | 'name'
    | 'favorite'
    | 'autostartSchedule'
    | 'autostartSince'
    | 'ttlMs'
    | 'automaticUpdates'
    | 'dormantAt'
    | 'deletingAt'
    | 'lastUsedAt'
    | 'scheduleProblem'
  >
>;

/** Writes a change of a held workspace, what it was before and after, and the news of it. */
export async function changeWorkspace(call: UserCall, workspace: Workspace, data: WorkspaceSettings): Promise<void> {
  const { db, services } = call;
  const updated = await db.workspace.update({ where: { id: workspace.id }, data: { ...data, updatedAt: services.clock.now() } });
  call.audit.update({ before: auditOf(workspace), after: auditOf(updated) });
  await services.bus.publish(db, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'settings' });
}
