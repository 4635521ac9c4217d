import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/trpc.ts';
import { notifyFailure } from '../../ui/notify.ts';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';

const STOP_TIMEOUT_MS = 10 * 60_000;

/** Stops a workspace and starts it again. The second half happens here, in this tab: whoever closes it finds the workspace stopped. */
export function useRestart() {
  return useMutation({
    mutationFn: async (workspace: Workspace) => {
      const stop = await client.builds.create.mutate({ workspace: workspace.id, transition: 'stop' });
      storeWorkspace({ ...workspace, latest_build: stop });
      const stopped = await endOfBuild(workspace.id, stop.build_number);
      if (stopped.latest_build.build_number !== stop.build_number) return;
      if (stopped.latest_build.status !== 'stopped') throw new Error('It did not stop, so it was not started again.');
      const start = await client.builds.create.mutate({ workspace: workspace.id, transition: 'start' });
      storeWorkspace({ ...stopped, latest_build: start });
    },
    onError: (error, { name }) => notifyFailure(`${name} could not be restarted`, error),
  });
}

/** The workspace as soon as the build with this number has ended, or a later one was made. */
function endOfBuild(workspaceId: string, buildNumber: number): Promise<Workspace> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      stream.unsubscribe();
      settle();
    };
    const timer = setTimeout(
      () => finish(() => reject(new Error('Stopping takes very long. Start it by hand when it is done.'))),
      STOP_TIMEOUT_MS,
    );
    const stream = client.workspaces.watch.subscribe(
      { workspace: workspaceId },
      {
        onData: (workspace) => {
          const build = workspace.latest_build;
          const isOver = build.build_number > buildNumber || (build.build_number === buildNumber && !isBuildActive(build.status));
          if (isOver) finish(() => resolve(workspace));
        },
        onError: (error) => finish(() => reject(error)),
      },
    );
  });
}
