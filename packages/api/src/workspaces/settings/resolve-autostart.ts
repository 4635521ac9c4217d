import { DomainError, notFound } from '@berth/core';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import { resolveBuildParameters } from '../../builds/index.ts';
import type { UserCall } from '../../kernel/procedures.ts';
import type { WorkspacePath } from '../contract.ts';
import type { ResolveAutostart } from './contract.ts';

/** Whether the next autostart would change the version, and the stored parameters do not fit the new one. */
export async function resolveAutostart(call: UserCall, input: z.output<typeof WorkspacePath>): Promise<ResolveAutostart> {
  const workspace = await call.db.workspace.findUnique({
    where: { id: input.workspace, deleted: false },
    select: {
      id: true,
      ownerId: true,
      organizationId: true,
      dormantAt: true,
      automaticUpdates: true,
      template: { select: { activeVersionId: true, requireActiveVersion: true } },
      latestBuild: { select: { templateVersionId: true, parameters: { select: { name: true, value: true } } } },
    },
  });
  if (workspace === null) throw notFound();
  call.authorize.require(workspaceObject(workspace));
  const { template, latestBuild } = workspace;
  const takesActive = workspace.automaticUpdates === 'always' || template.requireActiveVersion;
  if (!takesActive || latestBuild === null || latestBuild.templateVersionId === template.activeVersionId) {
    return { parameter_mismatch: false };
  }
  try {
    await resolveBuildParameters(call.db, { versionId: template.activeVersionId, requested: [], previous: latestBuild.parameters });
    return { parameter_mismatch: false };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid') return { parameter_mismatch: true };
    throw error;
  }
}
