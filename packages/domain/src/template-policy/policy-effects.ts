import { counted } from '@berth/core';
import type { SharingLevel } from '../enums.ts';
import type { AutostopRequirement, ScheduleEvent, ScheduleEventKind, ScheduleEventRule, ScheduleFacts } from '../schedule/index.ts';
import { SCHEDULE_EVENT_KINDS, deadlineFacts, deletingAt, effectiveTtlMs, futureEvents, recomputedDeadlines } from '../schedule/index.ts';
import { exceedsLevel } from './limits.ts';

/** The rules of a template that reach into workspaces which are there already. */
export interface TemplatePolicy {
  readonly schedule: ScheduleFacts['template'];
  readonly maxPortShareLevel: SharingLevel;
}

/** What a change does once, beside setting rules. */
export interface PolicyActions {
  /** Every workspace counts as used now. */
  readonly resetsLastUse: boolean;
  /** Every dormant workspace counts as dormant since now. */
  readonly resetsDormancy: boolean;
}

export interface PolicyChange {
  readonly now: Date;
  readonly before: TemplatePolicy;
  readonly after: TemplatePolicy;
  readonly actions: PolicyActions;
}

export interface PolicyWorkspace {
  /** With the template's present rules. */
  readonly facts: ScheduleFacts;
  /** Levels of the shares of its ports. */
  readonly portShares: readonly SharingLevel[];
  /** Whether its latest build is on the template's active version. */
  readonly isActiveVersion: boolean;
}

/** The future events of a workspace, and what no event shows: its next time to live, its shared ports, its version. */
export const POLICY_EFFECT_KINDS = [...SCHEDULE_EVENT_KINDS, 'ttl', 'port_shares', 'outdated'] as const;
export type PolicyEffectKind = (typeof POLICY_EFFECT_KINDS)[number];

export interface PolicyEffect {
  readonly kind: PolicyEffectKind;
  /** When it would happen under the present rules; null is never. */
  readonly before: Date | null;
  /** When it would happen under the new ones; null is never. */
  readonly after: Date | null;
  /** Of an event: what makes its new time, or made its old one. Else empty. */
  readonly rule: ScheduleEventRule | '';
  readonly detail: string;
}

/** Whether a change moves the deadlines of workspaces that run: only then are they computed again. */
export function movesDeadlines(before: AutostopRequirement, after: AutostopRequirement): boolean {
  return before.daysOfWeek !== after.daysOfWeek || before.weeks !== after.weeks;
}

/** Whether a change sets anew when dormant workspaces are deleted. */
export function movesDeletions({ before, after, actions }: Omit<PolicyChange, 'now'>): boolean {
  return actions.resetsDormancy || before.schedule.timeTilDormantAutodeleteMs !== after.schedule.timeTilDormantAutodeleteMs;
}

/**
 * Everything that a change of a template's rules does to one workspace; empty if it does not touch it. The times are those of the very
 * functions by which they come about.
 */
export function policyEffects(workspace: PolicyWorkspace, change: PolicyChange): PolicyEffect[] {
  const { facts } = workspace;
  const [before, after] = [futureEvents(facts, change.now), futureEvents(changedFacts(facts, change), change.now)];
  const events = SCHEDULE_EVENT_KINDS.map((kind) => movedEvent(kind, before, after));
  return [...events, ttl(facts, change), portShares(workspace, change), outdated(workspace, change)].filter((effect) => effect !== null);
}

/** The workspace as the change leaves it. */
export function changedFacts(facts: ScheduleFacts, change: PolicyChange): ScheduleFacts {
  const { now, before, after, actions } = change;
  const dormantAt = facts.workspace.dormantAt !== null && actions.resetsDormancy ? now : facts.workspace.dormantAt;
  const changed: ScheduleFacts = {
    ...facts,
    template: after.schedule,
    workspace: {
      ...facts.workspace,
      lastUsedAt: actions.resetsLastUse ? now : facts.workspace.lastUsedAt,
      dormantAt,
      deletingAt: movesDeletions(change)
        ? deletingAt({ since: dormantAt, autodeleteMs: after.schedule.timeTilDormantAutodeleteMs })
        : facts.workspace.deletingAt,
    },
  };
  const { build } = changed;
  const isRunning = build?.transition === 'start' && build.status === 'succeeded';
  if (!isRunning || build.completedAt === null) return changed;
  if (!movesDeadlines(before.schedule.autostopRequirement, after.schedule.autostopRequirement)) return changed;
  const moved = recomputedDeadlines({ ...deadlineFacts(changed), ...build, completedAt: build.completedAt, now });
  return moved === null ? changed : { ...changed, build: { ...build, ...moved } };
}

function movedEvent(
  kind: ScheduleEventKind,
  eventsBefore: readonly ScheduleEvent[],
  eventsAfter: readonly ScheduleEvent[],
): PolicyEffect | null {
  const [before, after] = [eventsBefore, eventsAfter].map((events) => events.find((event) => event.kind === kind));
  if (before?.time.getTime() === after?.time.getTime()) return null;
  return {
    kind,
    before: before?.time ?? null,
    after: after?.time ?? null,
    rule: after?.rule ?? before?.rule ?? '',
    detail: after === undefined ? SENTENCES[kind].never : `${SENTENCES[kind].at} ${after.time.toISOString()}.`,
  };
}

const SENTENCES: Readonly<Record<ScheduleEventKind, { readonly never: string; readonly at: string }>> = {
  autostart: { never: 'It does not start by itself any more.', at: 'It starts by itself next at' },
  autostop: { never: 'It is not stopped by itself any more.', at: 'It is stopped at' },
  must_stop: { never: 'It may run for as long as it is used.', at: 'It runs no longer than until' },
  failure_stop: {
    never: 'What its failed start left is not stopped by itself any more.',
    at: 'What its failed start left is stopped at',
  },
  dormant: { never: 'It does not become dormant any more.', at: 'Unused, it becomes dormant at' },
  delete: { never: 'It is not deleted by itself any more.', at: 'Unused, it is deleted at' },
};

function ttl({ workspace: { ttlMs } }: ScheduleFacts, { before, after }: PolicyChange): PolicyEffect | null {
  const [was, becomes] = [before, after].map(({ schedule: { defaultTtlMs, allowUserAutostop } }) =>
    effectiveTtlMs({ ttlMs, templateDefaultTtlMs: defaultTtlMs, allowUserAutostop }),
  );
  if (was === becomes) return null;
  return timeless(
    'ttl',
    typeof becomes === 'number'
      ? `From its next start on it runs for ${counted(Math.round(becomes / 60_000), 'minute')}.`
      : 'From its next start on it runs without a time to live.',
  );
}

function portShares({ portShares: shares }: PolicyWorkspace, { after: { maxPortShareLevel } }: PolicyChange): PolicyEffect | null {
  const above = shares.filter((level) => exceedsLevel(level, maxPortShareLevel)).length;
  if (above === 0) return null;
  const what = counted(above, 'shared port is', 'shared ports are');
  return timeless(
    'port_shares',
    maxPortShareLevel === 'owner' ? `${what} no longer shared.` : `${what} from now on only open to those who are signed in.`,
  );
}

function outdated({ facts, isActiveVersion }: PolicyWorkspace, { before, after }: PolicyChange): PolicyEffect | null {
  if (before.schedule.requireActiveVersion || !after.schedule.requireActiveVersion || facts.build === null || isActiveVersion) return null;
  return timeless('outdated', 'It is not on the active version, the only one on which it can then be started.');
}

function timeless(kind: PolicyEffectKind, detail: string): PolicyEffect {
  return { kind, before: null, after: null, rule: '', detail };
}
