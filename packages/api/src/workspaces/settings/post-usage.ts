import { invalid, invalidField, notFound } from '@berth/core';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import type { PostUsage } from './contract.ts';

/**
 * Notes that a workspace is in use now, by an app of one of its agents or as a whole.
 *
 * @throws invalid for an agent without an app or the other way round, and for an agent that is not of the latest build.
 */
export async function postUsage(call: UserCall, input: z.output<typeof PostUsage>): Promise<void> {
  const { db, services } = call;
  const workspace = await db.workspace.findUnique({
    where: { id: input.workspace, deleted: false },
    select: { id: true, ownerId: true, organizationId: true, dormantAt: true, latestBuild: { select: { jobId: true } } },
  });
  if (workspace === null) throw notFound();
  call.authorize.require(workspaceObject(workspace));
  const { agent_id: agentId, app_name: app } = input;
  if ((agentId === undefined) !== (app === undefined)) {
    const detail = 'give both agent_id and app_name, or neither';
    throw invalid('Validation failed.', [
      { field: 'agent_id', detail },
      { field: 'app_name', detail },
    ]);
  }
  if (agentId !== undefined) {
    const jobId = workspace.latestBuild?.jobId;
    const agent =
      jobId === undefined ? null : await db.workspaceAgent.findFirst({ where: { id: agentId, resource: { jobId } }, select: { id: true } });
    if (agent === null) throw invalidField('agent_id', 'is not an agent of the latest build of this workspace');
  }
  services.activity.note({ workspaceId: workspace.id, userId: call.principal.userId, app: app ?? '' });
}
