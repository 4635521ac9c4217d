import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { WorkspaceBuild, WorkspaceBuildTimings } from '@berth/api/contract/builds';
import type { ShownLine } from '../../logs/log-lines.ts';
import type { LogTarget } from '../../logs/log-target.ts';
import type { Scale } from './scale.ts';

export type BarKind = 'queue' | 'stage' | 'step' | 'connection' | 'script';

/** One thing that took time in a build. */
export interface Bar {
  /** Unique within the build. */
  readonly key: string;
  readonly kind: BarKind;
  readonly name: string;
  /** What more there is to say about it; may be empty. */
  readonly detail: string;
  /** Milliseconds. */
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
  readonly hasFailed: boolean;
  /** Where its first line stands: in the log of the build, or in that of an agent, by name. Null when nothing was written. */
  readonly log: { readonly agent: string | null; readonly target: LogTarget } | null;
}

export interface TimelineFacts {
  readonly build: WorkspaceBuild;
  /** Known once the build has ended, and of agents before that; undefined while they are on their way. */
  readonly timings: WorkspaceBuildTimings | undefined;
  /** The log of the build so far. */
  readonly lines: readonly ShownLine[];
  /** Whether agents may still come and scripts still run: not of a build that another one followed. */
  readonly isLatest: boolean;
}

const STAGE_NAMES: Readonly<Record<string, string>> = {
  init: 'Fetch the template',
  plan: 'Plan',
  graph: 'Order the steps',
  apply: 'Apply',
};

/** What took how long in a build, in the order in which it began; steps follow the stage that they are part of. */
export function barsOf(facts: TimelineFacts): readonly Bar[] {
  const { resources, transition } = facts.build;
  const agents = transition === 'start' ? resources.flatMap((resource) => resource.agents) : [];
  return [queueBar(facts), ...workBars(facts), ...agents.flatMap((agent) => agentBars(facts, agent))];
}

/** How long each stage of the build took, or each start script of an agent, by its name. Empty while nothing was measured. */
export function stageTimes(timings: WorkspaceBuildTimings | undefined, agentId: string | null): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const note = (name: string, { started_at: from, ended_at: to }: { readonly started_at: string; readonly ended_at: string }): void => {
    if (!times.has(name)) times.set(name, Date.parse(to) - Date.parse(from));
  };
  if (agentId === null) {
    for (const timing of timings?.provisioner_timings ?? []) if (timing.resource === '') note(timing.stage, timing);
  } else {
    for (const timing of timings?.agent_script_timings ?? []) {
      if (timing.workspace_agent_id === agentId && timing.stage === 'start') note(timing.display_name, timing);
    }
  }
  return times;
}

/** Whether anything of it goes on, so that the picture moves. */
export function isMoving(bars: readonly Bar[]): boolean {
  return bars.some(({ to }) => to === null);
}

export interface Span extends Scale {
  /** The wait began before the line does: shown whole it would leave no room for the work. */
  readonly isCut: boolean;
}

/** How many times as long as everything else a wait may be before it is cut off. */
const WAIT_MAX = 2;
/** How much of the line a wait that is cut off gets. */
const CUT_SHARE = 0.15;
const LENGTH_MIN_MS = 100;

/** The stretch that all bars fill. What goes on ends `now`. */
export function spanOf(bars: readonly Bar[], now: number): Span {
  const ends = bars.map(({ from, to }) => Math.max(from, to ?? now));
  const from = Math.min(now, ...bars.map((bar) => bar.from));
  const to = Math.max(from + LENGTH_MIN_MS, ...ends);
  const begun = Math.min(to, ...bars.filter(({ kind }) => kind !== 'queue').map((bar) => bar.from));
  const work = to - begun;
  if (work === 0 || begun - from <= work * WAIT_MAX) return { from, to, isCut: false };
  return { from: begun - work * CUT_SHARE, to, isCut: true };
}

/** Steps of the provisioner that are shown at once. */
const STEPS_SHOWN = 30;

/** The bars without the shortest steps, when there are more steps than anybody reads; in their order. */
export function shownBars(bars: readonly Bar[]): readonly Bar[] {
  const length = ({ from, to }: Bar): number => (to ?? Number.POSITIVE_INFINITY) - from;
  const steps = bars.filter(({ kind }) => kind === 'step');
  if (steps.length <= STEPS_SHOWN) return bars;
  const kept = new Set(steps.toSorted((a, b) => length(b) - length(a)).slice(0, STEPS_SHOWN));
  return bars.filter((bar) => bar.kind !== 'step' || kept.has(bar));
}

function queueBar({ build: { job }, lines }: TimelineFacts): Bar {
  const ended = job.started_at ?? job.completed_at;
  return {
    key: 'queue',
    kind: 'queue',
    name: 'Wait for a provisioner',
    detail: '',
    from: Date.parse(job.created_at),
    to: ended === null ? null : Date.parse(ended),
    hasFailed: job.started_at === null && job.status === 'failed',
    log: lines.length === 0 ? null : { agent: null, target: { kind: 'line', number: 1 } },
  };
}

function workBars(facts: TimelineFacts): readonly Bar[] {
  const timings = facts.timings?.provisioner_timings ?? [];
  return timings.length > 0 ? measuredBars(timings, facts.lines) : loggedBars(facts);
}

type ProvisionerTiming = WorkspaceBuildTimings['provisioner_timings'][number];

function measuredBars(timings: readonly ProvisionerTiming[], lines: readonly ShownLine[]): readonly Bar[] {
  const steps = timings.filter(({ resource }) => resource !== '');
  const stages = timings.filter(({ resource }) => resource === '').toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
  const shown = new Set<ProvisionerTiming>();
  const bars = stages.flatMap((stage) => {
    const own = steps.filter((step) => step.stage === stage.stage && !shown.has(step));
    for (const step of own) shown.add(step);
    return [measuredBar(stage, lines), ...own.map((step) => measuredBar(step, lines))];
  });
  return [...bars, ...steps.filter((step) => !shown.has(step)).map((step) => measuredBar(step, lines))];
}

function measuredBar(timing: ProvisionerTiming, lines: readonly ShownLine[]): Bar {
  const { stage, action, resource, source } = timing;
  const isStep = resource !== '';
  const ofStage = lineNumber(lines, (line) => line.stage === stage);
  const own = isStep ? lineNumber(lines, (line) => line.stage === stage && line.text.includes(resource)) : undefined;
  return {
    key: ['work', stage, action, resource, source, timing.started_at].join(' '),
    kind: isStep ? 'step' : 'stage',
    name: isStep ? resource : (STAGE_NAMES[stage] ?? stage),
    detail: [isStep ? action : '', source].filter((part) => part !== '').join(' · '),
    from: Date.parse(timing.started_at),
    to: Date.parse(timing.ended_at),
    hasFailed: false,
    log: inBuildLog(own ?? ofStage),
  };
}

/** What the log tells of the stages while they run, and of those of a build that failed: nobody measured them. */
function loggedBars({ build: { job }, lines }: TimelineFacts): readonly Bar[] {
  if (job.started_at === null) return [];
  const started = Date.parse(job.started_at);
  const completed = job.completed_at === null ? null : Date.parse(job.completed_at);
  const stages = firstLines(lines);
  const hasFailed = job.status === 'failed';
  if (stages.length === 0) {
    const bar = { key: 'work', kind: 'stage', name: 'Work', detail: '', from: started, to: completed, hasFailed, log: null } as const;
    return [bar];
  }
  const failing = lines.find(({ level }) => level === 'error')?.stage ?? lines.at(-1)?.stage;
  return stages.map(({ stage, number, at }, index) => {
    const next = stages[index + 1];
    return {
      key: `work ${stage}`,
      kind: 'stage',
      name: STAGE_NAMES[stage] ?? stage,
      detail: 'by the times of its lines',
      from: index === 0 ? Math.min(started, at) : at,
      to: next === undefined ? completed : next.at,
      hasFailed: hasFailed && stage === failing,
      log: inBuildLog(number),
    };
  });
}

/** Where each stage begins in the log, lines counted from 1. */
function firstLines(lines: readonly ShownLine[]): { stage: string; number: number; at: number }[] {
  const found = new Map<string, { stage: string; number: number; at: number }>();
  for (const [index, { stage, at }] of lines.entries()) {
    if (stage !== '' && !found.has(stage)) found.set(stage, { stage, number: index + 1, at: Date.parse(at) });
  }
  return [...found.values()];
}

function lineNumber(lines: readonly ShownLine[], isIt: (line: ShownLine) => boolean): number | undefined {
  const index = lines.findIndex(isIt);
  return index === -1 ? undefined : index + 1;
}

function inBuildLog(number: number | undefined): Bar['log'] {
  return number === undefined ? null : { agent: null, target: { kind: 'line', number } };
}

function agentBars({ build, timings, isLatest }: TimelineFacts, agent: WorkspaceAgent): readonly Bar[] {
  const connection = timings?.agent_connection_timings.find((timing) => timing.workspace_agent_id === agent.id);
  const isOver = build.job.status === 'failed' || build.job.status === 'canceled';
  if (connection === undefined || (connection.ended_at === null && isOver)) return [];
  const isComing = connection.ended_at === null && isLatest && agent.status === 'connecting';
  const from = Date.parse(connection.started_at);
  const patience = from + agent.connection_timeout_seconds * 1000;
  const hasLog = agent.logs_length > 0;
  const bar: Bar = {
    key: `connection ${agent.id}`,
    kind: 'connection',
    name: `${agent.name} connects`,
    detail: connection.ended_at === null && !isComing ? 'it never came' : '',
    from,
    to: connection.ended_at !== null ? Date.parse(connection.ended_at) : isComing ? null : patience,
    hasFailed: connection.ended_at === null && !isComing,
    log: hasLog ? { agent: agent.name, target: { kind: 'line', number: 1 } } : null,
  };
  return [bar, ...scriptBars(timings, agent, isLatest)];
}

const STATUS_WORDS = { ok: '', exit_failure: 'failed', timed_out: 'timed out', pipes_left_open: 'left its output open' } as const;

/** The scripts of the start, each as it ran first; those of the clock and of the stop are of other days. */
function scriptBars(timings: WorkspaceBuildTimings | undefined, agent: WorkspaceAgent, isLatest: boolean): readonly Bar[] {
  const known = new Map<string, Bar>();
  for (const timing of timings?.agent_script_timings ?? []) {
    if (timing.workspace_agent_id !== agent.id || timing.stage !== 'start' || known.has(timing.display_name)) continue;
    known.set(timing.display_name, {
      ...scriptBar(agent, timing.display_name),
      detail: [STATUS_WORDS[timing.status], timing.exit_code === 0 ? '' : `exit code ${timing.exit_code}`]
        .filter((part) => part !== '')
        .join(', '),
      from: Date.parse(timing.started_at),
      to: Date.parse(timing.ended_at),
      hasFailed: timing.status !== 'ok' && timing.status !== 'pipes_left_open',
    });
  }
  const isStarting = isLatest && agent.status === 'connected' && agent.lifecycle_state === 'starting' && agent.started_at !== null;
  const waiting = isStarting ? agent.scripts.filter((script) => script.run_on_start && !known.has(script.display_name)) : [];
  const running = waiting.map((script) => ({
    ...scriptBar(agent, script.display_name),
    from: Date.parse(agent.started_at ?? agent.updated_at),
    to: null,
  }));
  return [...known.values(), ...running];
}

function scriptBar(agent: WorkspaceAgent, name: string): Omit<Bar, 'from' | 'to'> {
  return {
    key: `script ${agent.id} ${name}`,
    kind: 'script',
    name,
    detail: '',
    hasFailed: false,
    log: { agent: agent.name, target: { kind: 'stage', stage: name } },
  };
}
