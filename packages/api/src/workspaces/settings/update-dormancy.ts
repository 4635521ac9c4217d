import { deletingAt } from '@berth/domain';
import type { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import type { Workspace } from '../contract.ts';
import { changeWorkspace, holdWorkspace } from '../held-workspace.ts';
import { loadOwnWorkspace } from '../read-workspace.ts';
import type { UpdateDormancy } from './contract.ts';
import { loadTemplateRules } from './template-rules.ts';

/**
 * Puts a workspace to sleep, or wakes it up. A sleeping one cannot be started, and is to be deleted after the time that its template
 * says; one that was woken up counts as used now. What runs is stopped by the
 * schedules, a moment later.
 */
export async function updateDormancy(call: UserCall, input: z.output<typeof UpdateDormancy>): Promise<Workspace> {
  const workspace = await holdWorkspace(call, input.workspace);
  const isDormant = workspace.dormantAt !== null;
  if ((input.dormant ?? isDormant) === isDormant) {
    call.audit.discard();
    return loadOwnWorkspace(call, workspace.id);
  }
  const now = call.services.clock.now();
  if (isDormant) {
    await changeWorkspace(call, workspace, {
      dormantAt: null,
      deletingAt: null,
      lastUsedAt: now,
      autostartSince: now,
      scheduleProblem: '',
    });
  } else {
    const { timeTilDormantAutodeleteMs } = await loadTemplateRules(call.db, workspace.templateId);
    await changeWorkspace(call, workspace, {
      dormantAt: now,
      deletingAt: deletingAt({ since: now, autodeleteMs: Number(timeTilDormantAutodeleteMs) }),
    });
  }
  return loadOwnWorkspace(call, workspace.id);
}
