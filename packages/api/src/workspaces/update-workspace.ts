import { conflict, forbidden, invalid } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { UpdateWorkspace, WorkspacePath } from './contract.ts';
import { changeWorkspace, holdWorkspace } from './held-workspace.ts';

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
    await changeWorkspace(call, workspace, { name });
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
  await changeWorkspace(call, workspace, { favorite });
}
