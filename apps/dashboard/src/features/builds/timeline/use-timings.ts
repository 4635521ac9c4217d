import type { WorkspaceBuild, WorkspaceBuildTimings } from '@berth/api/contract/builds';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../../api/trpc.ts';
import { stageTimes } from './timeline.ts';

const POLL_MS = 2000;

interface Options {
  readonly build: WorkspaceBuild;
  readonly isLatest: boolean;
}

export interface Measured {
  /** Undefined until they are loaded. */
  readonly timings: WorkspaceBuildTimings | undefined;
  readonly error: unknown;
}

/** What was measured of a build: asked again when the build or one of its agents has come a step further, and while something runs. */
export function useTimings({ build, isLatest }: Options): Measured {
  const agents = build.resources.flatMap((resource) => resource.agents);
  const steps = agents.map(({ id, first_connected_at: came, lifecycle_state: state }) => [id, came, state]);
  const isUnsettled =
    isLatest &&
    (build.job.completed_at === null ||
      agents.some(({ status, lifecycle_state: state }) => status === 'connecting' || (status === 'connected' && state === 'starting')));
  const { data, error } = useQuery({
    queryKey: ['build-timings', build.id, build.job.status, steps],
    queryFn: ({ signal }) => client.builds.timings.query({ workspacebuild: build.id }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: isUnsettled ? POLL_MS : false,
  });
  return { timings: data, error };
}

/** How long the stages of a log took: of the build, or of an agent's scripts. */
export function useStageTimes(timings: WorkspaceBuildTimings | undefined, agentId: string | null): ReadonlyMap<string, number> {
  return useMemo(() => stageTimes(timings, agentId), [timings, agentId]);
}
