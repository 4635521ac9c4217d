import { conflict, forbidden, invalid, notFound } from '@berth/core';
import type { Workspace } from '@berth/db';
import { isUniqueViolation } from '@berth/db';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import { workspaceChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { auditOf } from './audit.ts';
import type { UpdateWorkspace, WorkspacePath } from './contract.ts';

/**
 * Renames a workspace. An empty name, or the one that it has, changes nothing.
 *
 * @throws invalid where this server does not let workspaces be renamed; conflict when the owner has another one of that name.
 */
export async function updateWorkspace(call: UserCall, input: z.output<typeof UpdateWorkspace>): Promise<void> {
  const workspace = await holdWorkspace(call, input.workspace);
  const name = input.name ?? '';
  if (name === '' || name === workspace.name) return call.audit.discard();
  if (!call.services.settings.allowWorkspaceRenames) throw invalid('Workspaces cannot be renamed on this server.');
  try {
    await change(call, workspace, { name });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('A workspace with this name exists.', [{ field: 'name', detail: 'The owner has a workspace of this name already.' }]);
  }
}

/** Puts a workspace among its owner's favorites, or takes it out. Nobody else has a say, whatever their role. @throws forbidden */
export async function setFavorite(call: UserCall, input: z.output<typeof WorkspacePath>, favorite: boolean): Promise<void> {
  const workspace = await holdWorkspace(call, input.workspace);
  if (workspace.ownerId !== call.principal.userId) throw forbidden('Favorites are the owner’s own.');
  if (workspace.favorite === favorite) return call.audit.discard();
  await change(call, workspace, { favorite });
}

/** The row of a living workspace that the caller may change, until the transaction ends. */
async function holdWorkspace(call: UserCall, id: string): Promise<Workspace> {
  await call.db.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`;
  const workspace = await call.db.workspace.findUnique({ where: { id, deleted: false } });
  if (workspace === null) throw notFound();
  call.audit.set({ resourceId: workspace.id, target: workspace.name, organizationId: workspace.organizationId });
  call.authorize.require(workspaceObject(workspace));
  return workspace;
}

async function change(call: UserCall, workspace: Workspace, data: { name: string } | { favorite: boolean }): Promise<void> {
  const { db, services } = call;
  const updated = await db.workspace.update({ where: { id: workspace.id }, data: { ...data, updatedAt: services.clock.now() } });
  call.audit.update({ before: auditOf(workspace), after: auditOf(updated) });
  await services.bus.publish(db, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'settings' });
}
