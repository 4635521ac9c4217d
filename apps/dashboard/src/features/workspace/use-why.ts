import type { WorkspaceBuild } from '@berth/api/contract/builds';
import { useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { client } from '../../api/trpc.ts';

export type Why = Outputs['builds']['why'];

/** The queue moves without news of this workspace. */
const POLL_MS = 5000;

/** Why a build waits or failed; undefined while that is not known, or there is nothing to explain. */
export function useWhy(build: Pick<WorkspaceBuild, 'id' | 'job'>): Why | undefined {
  const { status } = build.job;
  const why = useQuery({
    // The status is a part of the question: what explained the waiting explains nothing of the failure.
    queryKey: ['why', build.id, status],
    queryFn: ({ signal }) => client.builds.why.query({ workspacebuild: build.id }, { signal }),
    enabled: status === 'pending' || status === 'failed',
    staleTime: 0,
    refetchInterval: status === 'pending' ? POLL_MS : false,
  });
  return why.data?.job_status === status ? why.data : undefined;
}
