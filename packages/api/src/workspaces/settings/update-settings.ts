import { invalidField } from '@berth/core';
import { autostartProblem, initialTtlMs, ttlProblem } from '@berth/domain';
import type { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import { changeWorkspace, holdWorkspace } from '../held-workspace.ts';
import type { UpdateAutomaticUpdates, UpdateAutostart, UpdateTtl } from './contract.ts';
import { loadTemplateRules } from './template-rules.ts';

/** Sets or clears when a workspace starts by itself. @throws invalid for a bad schedule, and where the template forbids one. */
export async function updateAutostart(call: UserCall, input: z.output<typeof UpdateAutostart>): Promise<void> {
  const workspace = await holdWorkspace(call, input.workspace);
  if (input.schedule === undefined) return call.audit.discard();
  const schedule = input.schedule === '' ? null : input.schedule;
  const problem = schedule === null ? null : autostartProblem(schedule);
  if (problem !== null) throw invalidField('schedule', problem);
  const { allowUserAutostart } = await loadTemplateRules(call.db, workspace.templateId);
  if (!allowUserAutostart) throw invalidField('schedule', 'The template of this workspace does not let its users start it by a schedule.');
  if (schedule === workspace.autostartSchedule) return call.audit.discard();
  await changeWorkspace(call, workspace, { autostartSchedule: schedule, autostartSince: call.services.clock.now(), scheduleProblem: '' });
}

/**
 * Sets or clears how long a workspace runs after each start, in whole minutes. A build that runs already keeps its deadline.
 *
 * @throws invalid out of bounds, and where the template decides alone.
 */
export async function updateTtl(call: UserCall, input: z.output<typeof UpdateTtl>): Promise<void> {
  const workspace = await holdWorkspace(call, input.workspace);
  if (input.ttl_ms === undefined) return call.audit.discard();
  const problem = ttlProblem(input.ttl_ms);
  if (problem !== null) throw invalidField('ttl_ms', problem);
  const { allowUserAutostop } = await loadTemplateRules(call.db, workspace.templateId);
  if (!allowUserAutostop) throw invalidField('ttl_ms', 'The template of this workspace decides alone how long it runs.');
  const wholeMs = initialTtlMs(input.ttl_ms, null);
  const ttlMs = wholeMs === null ? null : BigInt(wholeMs);
  if (ttlMs === workspace.ttlMs) return call.audit.discard();
  await changeWorkspace(call, workspace, { ttlMs });
}

/** Says whether the next autostart takes the active version of the template. */
export async function updateAutomaticUpdates(call: UserCall, input: z.output<typeof UpdateAutomaticUpdates>): Promise<void> {
  const workspace = await holdWorkspace(call, input.workspace);
  const automaticUpdates = input.automatic_updates ?? workspace.automaticUpdates;
  if (automaticUpdates === workspace.automaticUpdates) return call.audit.discard();
  await changeWorkspace(call, workspace, { automaticUpdates });
}
