import { notFound } from '@berth/core';
import type { DeadlineRule } from '@berth/domain';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import type { WorkspacePath } from '../contract.ts';
import type { WorkspaceSchedule } from './contract.ts';

/** What will happen to a workspace by itself, unless something changes before: when, and by which rule. */
export async function getSchedule(call: UserCall, input: z.output<typeof WorkspacePath>): Promise<WorkspaceSchedule> {
  const workspace = await call.db.workspace.findUnique({
    where: { id: input.workspace, deleted: false },
    select: {
      id: true,
      ownerId: true,
      organizationId: true,
      dormantAt: true,
      isRunning: true,
      latestBuild: { select: { deadline: true, deadlineRule: true, maxDeadline: true } },
    },
  });
  if (workspace === null) throw notFound();
  call.authorize.require(workspaceObject(workspace));
  const build = workspace.isRunning ? workspace.latestBuild : null;
  return {
    workspace_id: workspace.id,
    deadline: build?.deadline?.toISOString() ?? null,
    // The column carries a check constraint with these very values.
    deadline_rule: (build?.deadlineRule ?? '') as DeadlineRule,
    max_deadline: build?.maxDeadline?.toISOString() ?? null,
    next_autostart: null,
    events: [],
  };
}
