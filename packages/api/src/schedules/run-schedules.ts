import { NIL_UUID } from '@berth/core';
import type { Services } from '../kernel/context.ts';
import type { Outcome } from './attend-workspace.ts';
import { attendWorkspace } from './attend-workspace.ts';
import type { DuePage, Source } from './due-workspaces.ts';
import { SOURCES, readDuePage } from './due-workspaces.ts';

/** Workspaces looked at by one statement. */
const PAGE = 200;
/** Workspaces that one server attends to at the same time: far fewer than it has connections. */
const AT_ONCE = 4;

export interface SchedulesTurn {
  /** Workspaces to which something might have had to happen. */
  examined: number;
  done: number;
  refused: number;
  failed: number;
}

/**
 * One turn of the schedules: everything that is due happens, each workspace by itself, so that none keeps another from its turn. Safe on
 * all servers at once. Ends early when asked to, between two workspaces.
 */
export async function runSchedules(services: Services, signal?: AbortSignal): Promise<SchedulesTurn> {
  const turn = { examined: 0, done: 0, refused: 0, failed: 0 };
  for (const source of SOURCES) await runSource(services, { source, turn, signal });
  const level = turn.done + turn.refused + turn.failed > 0 ? 'info' : 'debug';
  services.log[level](turn, 'a turn of the schedules is over');
  return turn;
}

interface SourceRun {
  readonly source: Source;
  readonly turn: SchedulesTurn;
  readonly signal: AbortSignal | undefined;
}

async function runSource(services: Services, { source, turn, signal }: SourceRun): Promise<void> {
  const isOver = (): boolean => signal?.aborted === true;
  let afterId: string | null = NIL_UUID;
  while (afterId !== null && !isOver()) {
    const page: DuePage = await readDuePage(services, { source, afterId, limit: PAGE });
    turn.examined += page.examined;
    for (let index = 0; index < page.dueIds.length && !isOver(); index += AT_ONCE) {
      const outcomes = await Promise.all(page.dueIds.slice(index, index + AT_ONCE).map((id) => attend(services, id)));
      for (const kind of outcomes) if (kind !== 'passed') turn[kind] += 1;
    }
    afterId = page.nextId;
  }
}

async function attend(services: Services, id: string): Promise<Outcome['kind'] | 'failed'> {
  const { log, metrics } = services;
  try {
    const outcome = await attendWorkspace(services, id);
    if (outcome.kind === 'passed') return outcome.kind;
    metrics.scheduleRule(outcome.rule, outcome.kind);
    if (outcome.kind === 'refused') {
      log.warn({ workspace_id: id, rule: outcome.rule, problem: outcome.problem }, 'a schedule could not be followed');
    } else {
      log.info({ workspace_id: id, rule: outcome.rule, note: outcome.note }, 'a schedule was followed');
    }
    return outcome.kind;
  } catch (error) {
    log.error({ err: error, workspace_id: id }, 'a schedule failed; it will be tried again');
    return 'failed';
  }
}
