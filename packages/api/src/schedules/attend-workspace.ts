import { DomainError } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { ScheduleRule } from '@berth/domain';
import { dueRules } from '@berth/domain';
import { lockWorkspaceFacts } from '../builds/index.ts';
import { writeAuditRow } from '../kernel/audit.ts';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { reportOf } from '../kernel/errors.ts';
import { ownRequest, sentenceOf } from './automatic-build.ts';
import { BUILD_OF_RULE, carryOut } from './carry-out.ts';
import { isNotTriedSince } from './due-workspaces.ts';
import type { ScheduledWorkspace } from './facts.ts';
import { scheduleFacts } from './facts.ts';

export type Outcome =
  | { readonly kind: 'done'; readonly rule: ScheduleRule; readonly note: string }
  | { readonly kind: 'refused'; readonly rule: ScheduleRule; readonly problem: string }
  /** Nothing is due any more, somebody else is at it, or it was tried a moment ago. */
  | { readonly kind: 'passed' };

/**
 * Does to one workspace what the first of its rules asks for that can be done, in one transaction that holds its row, so that of several
 * servers one does it, and a person's build of the same moment is never crossed. What cannot be done is written down with the
 * workspace and tried again a minute later.
 */
export async function attendWorkspace(services: Services, id: string): Promise<Outcome> {
  return services.prisma.$transaction(async (db) => {
    const now = services.clock.now();
    // The template first, as everywhere.
    await db.$queryRaw`SELECT 1 FROM templates WHERE id = (SELECT template_id FROM workspaces WHERE id = ${id}::uuid) FOR KEY SHARE`;
    const held = await db.$queryRaw<unknown[]>(Prisma.sql`
      SELECT 1 FROM workspaces w WHERE w.id = ${id}::uuid AND NOT w.deleted AND ${isNotTriedSince(now)} FOR UPDATE SKIP LOCKED`);
    if (held.length === 0) return { kind: 'passed' };
    const scheduled = await scheduleFacts(db, services.settings, id);
    if (scheduled === null) return { kind: 'passed' };
    const rules = dueRules(scheduled.facts, now);
    return rules.length === 0 ? { kind: 'passed' } : tryRules(db, services, { scheduled, rules });
  });
}

interface DueWorkspace {
  readonly scheduled: ScheduledWorkspace;
  readonly rules: readonly ScheduleRule[];
}

/** A rule that cannot be followed does not keep a later one from being. */
async function tryRules(db: Tx, services: Services, { scheduled, rules }: DueWorkspace): Promise<Outcome> {
  const workspace = await lockWorkspaceFacts(db, scheduled.id);
  let refused: { readonly rule: ScheduleRule; readonly error: DomainError } | null = null;
  for (const rule of rules) {
    try {
      const note = await carryOut(db, services, { rule, scheduled, workspace });
      await noteProblem(db, services, { scheduled, problem: note, isTried: false });
      return { kind: 'done', rule, note };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused ??= { rule, error };
    }
  }
  if (refused === null) return { kind: 'passed' };
  const problem = sentenceOf(refused.error);
  // Once for each reason: the next tries of the same kind are no news.
  if (problem !== scheduled.problem) await recordRefusal(db, scheduled, refused);
  await noteProblem(db, services, { scheduled, problem, isTried: true });
  return { kind: 'refused', rule: refused.rule, problem };
}

interface Noted {
  readonly scheduled: ScheduledWorkspace;
  readonly problem: string;
  readonly isTried: boolean;
}

async function noteProblem(db: Tx, services: Services, { scheduled, problem, isTried }: Noted): Promise<void> {
  const { id, ownerId } = scheduled;
  await db.workspace.update({
    where: { id },
    data: { scheduleProblem: problem, scheduleTriedAt: isTried ? services.clock.now() : null },
    select: { id: true },
  });
  if (problem === scheduled.problem) return;
  await services.bus.publish(db, workspaceChannel, { workspace_id: id, owner_id: ownerId, kind: 'schedule' });
}

async function recordRefusal(
  db: Tx,
  { id, name, ownerId, ownerUsername, organizationId }: ScheduledWorkspace,
  { rule, error }: { readonly rule: ScheduleRule; readonly error: DomainError },
): Promise<void> {
  const { transition, reason } = BUILD_OF_RULE[rule];
  await writeAuditRow(db, {
    resource: 'workspace_build',
    action: transition,
    userId: ownerId,
    statusCode: reportOf(error).status,
    request: ownRequest(),
    resourceId: id,
    target: name,
    organizationId,
    additionalFields: {
      workspace_name: name,
      workspace_id: id,
      workspace_owner: ownerUsername,
      build_reason: reason,
      problem: sentenceOf(error),
    },
    buildReason: reason,
  });
}
