import type { WorkspaceBuild } from '@berth/api/contract/builds';
import { useRouter } from '@tanstack/react-router';
import type { LogPlace } from '../logs/log-place.ts';
import type { LogTarget } from '../logs/log-target.ts';

/** Where the lines of a build's log are, or of the log of one of its agents: on the page of the build, wherever the log is shown. */
export function useBuildPlace(build: WorkspaceBuild, agent: string | null, target: LogTarget | null = null): LogPlace {
  const router = useRouter();
  const params = { owner: build.workspace_owner_name, name: build.workspace_name, number: String(build.build_number) };
  const search = agent === null ? {} : { log: agent };
  return {
    target,
    hrefOf: (number) => router.buildLocation({ to: '/@{$owner}/$name/builds/$number', params, search, hash: `L${number}` }).href,
  };
}
