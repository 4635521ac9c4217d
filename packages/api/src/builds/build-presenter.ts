import { workspaceStatus } from '@berth/domain';
import type { RawResource } from '../agents/agent-presenter.ts';
import { presentResources } from '../agents/agent-presenter.ts';
import type { WorkspaceBuild } from './contract.ts';

/** What `BUILD_JSON` answers. */
export type RawBuild = Omit<WorkspaceBuild, 'status' | 'resources'> & { readonly resources: readonly RawResource[] };

/** Completes a build as it is at `now`. */
export function presentBuild(raw: RawBuild, now: Date): WorkspaceBuild {
  return {
    ...raw,
    status: workspaceStatus(raw.job.status, raw.transition),
    resources: presentResources(raw.resources, { workspaceName: raw.workspace_name, ownerName: raw.workspace_owner_name, now }),
  };
}
