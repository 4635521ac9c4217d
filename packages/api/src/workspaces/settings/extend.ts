import { conflict, invalidField } from '@berth/core';
import type { Workspace } from '@berth/db';
import type { Transition } from '@berth/domain';
import { extendProblem, jobStatus } from '@berth/domain';
import type { z } from 'zod';
import { workspaceChannel } from '../../kernel/channels.ts';
import type { Confirmation } from '../../kernel/confirmation.ts';
import { confirmed } from '../../kernel/confirmation.ts';
import type { UserCall } from '../../kernel/procedures.ts';
import { holdWorkspace } from '../held-workspace.ts';
import type { ExtendWorkspace } from './contract.ts';
import { loadTemplateRules } from './template-rules.ts';

/**
 * Moves the deadline of a running workspace.
 *
 * @throws conflict when it does not run, or has no deadline; invalid when its template decides alone, and for a deadline that is too
 * soon or past the latest one.
 */
export async function extendWorkspace(call: UserCall, input: z.output<typeof ExtendWorkspace>): Promise<Confirmation> {
  const { db, services } = call;
  const workspace = await holdWorkspace(call, input.workspace);
  const now = services.clock.now();
  const deadline = new Date(input.deadline);
  const build = await loadLatestBuild(call, workspace);
  const { allowUserAutostop } = await loadTemplateRules(db, workspace.templateId);
  const problem = extendProblem({ now, requested: deadline, allowUserAutostop, build });
  if (problem !== null) throw problem.kind === 'conflict' ? conflict(problem.detail) : invalidField('deadline', problem.detail);
  if (build === null) throw new Error('a build that is not there was extended');
  await db.workspaceBuild.update({
    where: { id: build.id },
    data: { deadline, deadlineRule: 'extended', updatedAt: now },
    select: { id: true },
  });
  call.audit.update({
    additionalFields: { build_number: String(build.buildNumber), deadline, deadline_before: build.deadline },
  });
  await services.bus.publish(db, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'deadline' });
  return confirmed(`The workspace now stops at ${deadline.toISOString()}.`);
}

async function loadLatestBuild({ db }: UserCall, { latestBuildId }: Workspace) {
  if (latestBuildId === null) return null;
  const build = await db.workspaceBuild.findUnique({
    where: { id: latestBuildId },
    select: {
      id: true,
      buildNumber: true,
      transition: true,
      deadline: true,
      maxDeadline: true,
      job: { select: { startedAt: true, completedAt: true, canceledAt: true, error: true } },
    },
  });
  if (build === null) return null;
  // The column carries a check constraint with these very values.
  return { ...build, transition: build.transition as Transition, hasSucceeded: jobStatus(build.job) === 'succeeded' };
}
