import type { AgentRow, BuildRow, Evidence, LogRow } from './evidence.ts';
import { START_LINES, STOP_LINES } from './template.ts';

/** Of a numbered build: see the daemon that the chaos run starts. */
const NUMBERED_LINES = 60;

/** Everything that must hold of what a run left behind; each problem in words, with its evidence. */
export function judge(evidence: Evidence): string[] {
  return [
    ...evidence.builds.flatMap((build) => [
      ...judgeJobLog(build, evidence.logs.get(build.job) ?? []),
      ...judgeAudit(build, evidence.audited.get(build.job) ?? 0),
    ]),
    ...evidence.agents.flatMap((agent) => judgeAgentLog(agent, evidence.builds)),
    ...evidence.afterEnd.map((text) => `A job was written to after its end: ${text}`),
  ];
}

const hasSucceeded = (build: BuildRow): boolean => build.isOver && !build.isCanceled && build.error === '';

/** A build that ended has one row, unless it was canceled: then the row is of the cancel, if a person asked for it. */
function judgeAudit(build: BuildRow, rows: number): string[] {
  if (!build.isOver) return [];
  const expected = build.isCanceled && build.error === '' ? 0 : 1;
  return rows === expected ? [] : [`${describe(build)} has ${rows} audit rows instead of ${expected}.`];
}

/** What each attempt at a build says, in this order: texts that only this step begins with. */
function stepsOf({ transition, isNumbered }: BuildRow): string[][] {
  const inner = {
    start: [['box: a process with agent main'], ['agent main started']],
    stop: [['stopping main', 'nothing is running'], ['stopped']],
    delete: [['the workspace and its home are removed']],
  }[transition];
  if (!isNumbered) return inner;
  const numbers = Array.from({ length: NUMBERED_LINES }, (_, index) => [`numbered line ${index + 1} of ${NUMBERED_LINES}`]);
  return [...numbers.slice(0, NUMBERED_LINES / 2), ...inner, ...numbers.slice(NUMBERED_LINES / 2)];
}

interface Attempt {
  /** As the server counts: one that a daemon handed back in time does not count, so its number comes again. */
  readonly number: number;
  readonly said: string[];
}

function attemptsIn(lines: readonly LogRow[]): Attempt[] {
  const attempts: Attempt[] = [{ number: 1, said: [] }];
  for (const { source, output } of lines) {
    const next = source === 'provisioner' ? undefined : /queued again \(attempt (\d+) of /.exec(output)?.[1];
    if (source === 'provisioner') attempts.at(-1)?.said.push(output);
    else if (next !== undefined) attempts.push({ number: Number(next), said: [] });
  }
  return attempts;
}

/**
 * The log of a build is its attempts, one after the other. Each attempt but the first follows the server's word that the job is queued
 * again, and says which one it is. An attempt's lines are the steps from the first on, each once and in order, up to where it was lost,
 * canceled or failed; those of the attempt that succeeded are all of them.
 */
function judgeJobLog(build: BuildRow, lines: readonly LogRow[]): string[] {
  const attempts = attemptsIn(lines);
  const problems: string[] = [];
  const last = attempts.at(-1)?.number ?? 0;
  // One that waits for its next attempt and is canceled then was not begun again.
  if (last !== build.attempt && last !== build.attempt + 1) problems.push(`attempt ${last} is the last in the log, not ${build.attempt}`);
  for (const [index, attempt] of attempts.entries()) {
    problems.push(...judgeAttempt(attempt, build, hasSucceeded(build) && index === attempts.length - 1));
  }
  if (problems.length === 0) return [];
  const shown = lines.map(({ source, output }) => `      ${source}: ${output}`).join('\n');
  return [`The log of ${describe(build)}: ${problems.join('; ')}.\n${shown}`];
}

function judgeAttempt({ number, said }: Attempt, build: BuildRow, mustBeWhole: boolean): string[] {
  const steps = stepsOf(build);
  const problems: string[] = [];
  const [marker] = said;
  if (number > 1 && marker !== undefined && !marker.startsWith(`attempt ${number}: `)) problems.push(`attempt ${number} does not say so`);
  let at = 0;
  for (const line of said) {
    const step = steps.findIndex((texts) => texts.some((text) => line.startsWith(text)));
    if (step < 0) continue;
    if (step < at) problems.push(`in attempt ${number}, "${line}" comes again`);
    if (step > at) problems.push(`in attempt ${number}, lines are missing before "${line}"`);
    at = Math.max(at, step + 1);
  }
  if (mustBeWhole && at < steps.length) problems.push(`it succeeded, and ${steps.length - at} lines are missing at its end`);
  return problems;
}

/** The lines of an agent's scripts are there each once, in order, from the first on; all of them, when their script has ended. */
function judgeAgentLog(agent: AgentRow, builds: readonly BuildRow[]): string[] {
  const build = builds.find((candidate) => candidate.build === agent.build);
  if (build === undefined) return [];
  const later = builds.filter(({ workspace, number }) => workspace === build.workspace && number > build.number);
  const next = later.toSorted((a, b) => a.number - b.number)[0];
  const isFollowed = next !== undefined && hasSucceeded(next);
  const problems: string[] = [];
  const count = (word: string, total: number, mustBeWhole: boolean): void => {
    const lines = agent.lines.filter((line) => line.startsWith(`${word} `));
    const wanted = Array.from({ length: mustBeWhole ? total : lines.length }, (_, index) => `${word} ${index + 1} of ${total}`);
    if (lines.join('\n') !== wanted.join('\n')) problems.push(`"${word}": ${numbersIn(lines)} instead of 1 to ${wanted.length}`);
  };
  count('coming', START_LINES, agent.wasReady && (next === undefined || isFollowed));
  count('going', STOP_LINES, agent.wasReady && isFollowed && hasSucceeded(build));
  if (problems.length === 0) return [];
  return [`The log of agent ${agent.agent} (${agent.lifecycle}) of ${describe(build)}: ${problems.join('; ')}.`];
}

const numbersIn = (lines: readonly string[]): string => lines.map((line) => line.split(' ')[1]).join(' ') || 'none';

function describe({ name, number, transition, job, attempt, error, isCanceled }: BuildRow): string {
  const outcome = error !== '' ? `failed: ${error}` : isCanceled ? 'canceled' : 'succeeded';
  return `build ${number} (${transition}) of ${name}, job ${job}, attempt ${attempt}, ${outcome}`;
}
