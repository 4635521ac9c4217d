import type { Workspace } from '@berth/api/contract/workspaces';
import { useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';

/** Shows the part of a workspace that was just changed, and asks again what will happen to it. */
export function useWorkspaceChange(workspace: Workspace): (part: Partial<Workspace>) => Promise<void> {
  const queryClient = useQueryClient();
  return async (part) => {
    storeWorkspace({ ...workspace, ...part });
    await queryClient.invalidateQueries(trpc.workspaces.schedule.queryFilter({ workspace: workspace.id }));
  };
}
