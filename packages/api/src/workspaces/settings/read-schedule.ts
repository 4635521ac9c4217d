import { notFound } from '@berth/core';
import { futureEvents } from '@berth/domain';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import { scheduleFacts } from '../../schedules/index.ts';
import type { WorkspacePath } from '../contract.ts';
import type { WorkspaceSchedule } from './contract.ts';

/** What will happen to a workspace by itself, if nothing happens before: when, and by which rule. */
export async function getSchedule(call: UserCall, input: z.output<typeof WorkspacePath>): Promise<WorkspaceSchedule> {
  const { clock, settings } = call.services;
  const workspace = await scheduleFacts(call.db, settings, input.workspace);
  if (workspace === null) throw notFound();
  const { facts } = workspace;
  call.authorize.require(workspaceObject({ ...workspace, dormantAt: facts.workspace.dormantAt }));
  const build = facts.build?.transition === 'start' && facts.build.status === 'succeeded' ? facts.build : null;
  const events = futureEvents(facts, clock.now()).map(({ time, ...event }) => ({ ...event, time: time.toISOString() }));
  return {
    workspace_id: workspace.id,
    deadline: build?.deadline?.toISOString() ?? null,
    deadline_rule: build?.deadlineRule ?? '',
    max_deadline: build?.maxDeadline?.toISOString() ?? null,
    next_autostart: events.find(({ kind }) => kind === 'autostart')?.time ?? null,
    events,
    problem: workspace.problem,
  };
}
