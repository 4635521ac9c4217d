import { invalidField, notFound } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import { templateFactsSelect, templateRef, workspaceRef } from '../build-facts.ts';
import type { WorkspaceBuild } from '../contract.ts';
import { createBuildFrom } from '../create-build.ts';
import type { RestoreState } from './contract.ts';

/** Creates a build that starts from the state of an earlier one; every state stays with its build. For those who may update the template. */
export async function restoreState(call: UserCall, input: z.output<typeof RestoreState>): Promise<WorkspaceBuild> {
  const source = await call.db.workspaceBuild.findUnique({
    where: { id: input.workspacebuild },
    select: {
      buildNumber: true,
      provisionerState: true,
      workspace: {
        select: { id: true, name: true, ownerId: true, organizationId: true, dormantAt: true, template: { select: templateFactsSelect } },
      },
    },
  });
  if (source === null || !call.authorize.can('read', workspaceRef(source.workspace))) throw notFound();
  const { workspace, provisionerState, buildNumber } = source;
  if (provisionerState.length === 0 && call.authorize.can('update', templateRef(workspace.template))) {
    throw invalidField('workspacebuild', 'has no state to restore');
  }
  const build = await createBuildFrom(call, { workspace: workspace.id, transition: input.transition }, provisionerState);
  call.audit.set({
    resourceId: build.id,
    target: workspace.name,
    organizationId: workspace.organizationId,
    action: 'write',
    buildReason: 'initiator',
    additionalFields: {
      workspace_name: workspace.name,
      workspace_id: workspace.id,
      workspace_owner: build.workspace_owner_name,
      build_number: String(build.build_number),
      restored_state_of_build: String(buildNumber),
    },
  });
  return build;
}
