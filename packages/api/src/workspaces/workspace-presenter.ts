import { workspaceHealth } from '@berth/domain';
import type { RawBuild } from '../builds/build-presenter.ts';
import { presentBuild } from '../builds/build-presenter.ts';
import type { Workspace } from './contract.ts';

/** What `workspaceJson` answers. */
export type RawWorkspace = Omit<Workspace, 'health' | 'latest_build'> & { readonly latest_build: RawBuild };

/** Completes a workspace as it is at `now`. */
export function presentWorkspace(raw: RawWorkspace, now: Date): Workspace {
  const build = presentBuild(raw.latest_build, now);
  const { healthy, failingAgents } = workspaceHealth(build.resources.flatMap((resource) => resource.agents));
  return { ...raw, latest_build: build, health: { healthy, failing_agents: failingAgents } };
}
