import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';

export interface LiveBuild {
  readonly build: WorkspaceBuild;
  /** The workspace whose latest build this is; undefined for an earlier one, and until that is known. */
  readonly workspace: Workspace | undefined;
}

/** A build as it is now: the news of its workspace bring the latest one along. What was before does not change any more. */
export function useLiveBuild(build: WorkspaceBuild): LiveBuild {
  const [workspace, setWorkspace] = useState<Workspace>();
  useSubscription(
    trpc.workspaces.watch.subscriptionOptions(
      { workspace: build.workspace_id },
      {
        onData: (news) => {
          storeWorkspace(news);
          setWorkspace(news);
        },
      },
    ),
  );
  const isLatest = workspace !== undefined && workspace.latest_build.id === build.id;
  return isLatest ? { build: workspace.latest_build, workspace } : { build, workspace: undefined };
}
