import type { Answers } from '../access/use-permissions.ts';
import { ask, usePermissions } from '../access/use-permissions.ts';

/** What the signed-in person may do to a workspace. */
export function useWorkspaceRights({ id }: { readonly id: string }): Answers<'update' | 'delete' | 'ssh'> {
  return usePermissions({
    update: ask('workspace:update', { resource_id: id }),
    ssh: ask('workspace:ssh', { resource_id: id }),
    delete: ask('workspace:delete', { resource_id: id }),
  });
}
