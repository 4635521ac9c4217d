import type { Tx } from '@berth/db';
import type { BuildReason, ScheduleRule, Transition } from '@berth/domain';
import { deletingAt } from '@berth/domain';
import type { WorkspaceFactsRow } from '../builds/index.ts';
import { writeAuditRow } from '../kernel/audit.ts';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { auditOf } from '../workspaces/index.ts';
import { makeAutomaticBuild, ownRequest } from './automatic-build.ts';
import type { ScheduledWorkspace } from './facts.ts';

/** The build that a rule makes; dormancy makes one only of what was started. */
export const BUILD_OF_RULE = {
  owner_suspended: { transition: 'stop', reason: 'autostop' },
  deadline: { transition: 'stop', reason: 'autostop' },
  autostart: { transition: 'start', reason: 'autostart' },
  failure: { transition: 'stop', reason: 'autostop' },
  dormancy: { transition: 'stop', reason: 'dormancy' },
  dormant_stop: { transition: 'stop', reason: 'dormancy' },
  autodelete: { transition: 'delete', reason: 'autodelete' },
} as const satisfies Record<ScheduleRule, { readonly transition: Transition; readonly reason: BuildReason }>;

export interface RuleInHand {
  readonly rule: ScheduleRule;
  readonly scheduled: ScheduledWorkspace;
  readonly workspace: WorkspaceFactsRow;
}

/**
 * Does what a rule asks for, to a workspace that the caller holds. Answers what is worth knowing about it, or nothing.
 *
 * @throws DomainError, before anything was written, when it cannot be done.
 */
export async function carryOut(db: Tx, services: Services, { rule, scheduled, workspace }: RuleInHand): Promise<string> {
  const prefersActiveVersion = scheduled.facts.workspace.automaticUpdates === 'always';
  const build = { workspace, prefersActiveVersion, ...BUILD_OF_RULE[rule] };
  if (rule !== 'dormancy') return makeAutomaticBuild(db, services, build);
  const note = workspace.latestBuild?.transition === 'start' ? await makeAutomaticBuild(db, services, build) : '';
  await fallAsleep(db, services, scheduled);
  return note;
}

/** No request did it, and no person: the row says which part of the server. */
async function fallAsleep(db: Tx, services: Services, { id, ownerId, organizationId, facts }: ScheduledWorkspace): Promise<void> {
  const now = services.clock.now();
  const before = await db.workspace.findUniqueOrThrow({ where: { id } });
  const after = await db.workspace.update({
    where: { id },
    data: {
      dormantAt: now,
      deletingAt: deletingAt({ since: now, autodeleteMs: facts.template.timeTilDormantAutodeleteMs }),
      updatedAt: now,
    },
  });
  await writeAuditRow(db, {
    resource: 'workspace',
    action: 'write',
    resourceId: id,
    target: after.name,
    organizationId,
    userId: null,
    statusCode: 200,
    request: ownRequest(),
    before: auditOf(before),
    after: auditOf(after),
    additionalFields: { automatic_actor: 'Berth', automatic_subsystem: 'dormancy' },
  });
  await services.bus.publish(db, workspaceChannel, { workspace_id: id, owner_id: ownerId, kind: 'dormancy' });
}
