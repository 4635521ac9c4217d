import { notFound } from '@berth/core';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { WorkspaceBuildTimings } from '../builds/timings/contract.ts';
import { readTimings } from '../builds/index.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { WorkspacePath } from './contract.ts';

/** Where the time of the latest build of a workspace went. */
export async function getWorkspaceTimings(call: UserCall, input: z.output<typeof WorkspacePath>): Promise<WorkspaceBuildTimings> {
  const workspace = await call.db.workspace.findUnique({
    where: { id: input.workspace, deleted: false },
    select: { id: true, ownerId: true, organizationId: true, dormantAt: true, latestBuild: { select: { jobId: true } } },
  });
  if (workspace === null) throw notFound();
  call.authorize.require(workspaceObject(workspace));
  if (workspace.latestBuild === null) return { provisioner_timings: [], agent_script_timings: [], agent_connection_timings: [] };
  return readTimings(call.db, workspace.latestBuild.jobId);
}
