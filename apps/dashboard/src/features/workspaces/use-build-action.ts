import type { Workspace } from '@berth/api/contract/workspaces';
import type { Transition } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/trpc.ts';
import { notifyFailure } from '../../ui/notify.ts';
import { storeWorkspace } from './workspace-cache.ts';

export interface BuildAction {
  readonly workspace: Workspace;
  readonly transition: Transition;
  /** Delete only: forget the resources instead of destroying them. */
  readonly orphan?: boolean;
  /** Start only: move to the template's active version. */
  readonly update?: boolean;
}

const WORDS: Readonly<Record<Transition, string>> = { start: 'started', stop: 'stopped', delete: 'deleted' };

/** Starts, stops or deletes a workspace. The page shows the new build at once; the live updates tell the rest. */
export function useBuildAction() {
  return useMutation({
    mutationFn: ({ workspace, transition, orphan, update }: BuildAction) =>
      client.builds.create.mutate({
        workspace: workspace.id,
        transition,
        ...(orphan === true ? { orphan } : {}),
        ...(update === true ? { template_version_id: workspace.template_active_version_id } : {}),
      }),
    onSuccess: (build, { workspace }) => storeWorkspace({ ...workspace, latest_build: build }),
    onError: (error, { workspace, transition }) => notifyFailure(`${workspace.name} could not be ${WORDS[transition]}`, error),
  });
}
