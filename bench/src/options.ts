import { parseArgs } from 'node:util';

export const PARTS = ['reads', 'audit', 'start', 'pickup', 'connect', 'dashboard', 'scroll', 'memory'] as const;
export type Part = (typeof PARTS)[number];

/** How much of everything a run makes and measures. */
export interface Sizes {
  readonly users: number;
  readonly workspaces: number;
  readonly buildsPerWorkspace: 5;
  readonly auditRows: number;
  readonly connections: number;
  /** Of each measurement, in seconds, after the warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly starts: number;
  /** Builds that are queued one after the other while daemons wait. */
  readonly pickUps: number;
  readonly daemons: number;
  /** Keys typed into a terminal, one after the other. */
  readonly keys: number;
  /** What one stream out of a workspace carries. */
  readonly streamBytes: number;
  /** How often each page of the dashboard is opened. */
  readonly loads: number;
  /** How long the list is that is scrolled through. */
  readonly listedWorkspaces: number;
  readonly agents: number;
  /** How long the agents report before the memory is read, in seconds. */
  readonly agentSeconds: number;
}

const FULL: Sizes = {
  users: 200,
  workspaces: 2000,
  buildsPerWorkspace: 5,
  auditRows: 1_000_000,
  connections: 32,
  seconds: 10,
  warmUpSeconds: 2,
  starts: 20,
  pickUps: 200,
  daemons: 3,
  keys: 400,
  streamBytes: 2 ** 30,
  loads: 5,
  listedWorkspaces: 10_000,
  agents: 1000,
  agentSeconds: 60,
};

const QUICK: Sizes = {
  ...FULL,
  users: 50,
  workspaces: 300,
  auditRows: 20_000,
  seconds: 2,
  warmUpSeconds: 1,
  starts: 3,
  pickUps: 20,
  keys: 40,
  streamBytes: 64 * 2 ** 20,
  loads: 1,
  listedWorkspaces: 500,
  agents: 50,
  agentSeconds: 15,
};

export interface Options {
  readonly parts: readonly Part[];
  /** Part of the name of the read operations to measure; empty for all. */
  readonly operation: string;
  readonly sizes: Sizes;
  readonly isQuick: boolean;
  /** A folder whose filled database is used again, and kept; null for a temporary one. */
  readonly dataDir: string | null;
  /** Writes a CPU profile of the server for each part into this folder. */
  readonly profileDir: string | null;
  /** Writes the plan of each captured statement into this folder. */
  readonly explainDir: string | null;
  /** Whether docs/performance.md is written. */
  readonly writesReport: boolean;
}

/** The command line is wrong; the message says how. */
export class UsageError extends Error {}

export const USAGE = `npm run bench -- [options]

  --only <part>        one of ${PARTS.join(', ')}; may be repeated
  --operation <text>   of the reads, only those whose name has this text
  --quick              a small data set and short runs: proves that everything works, measures nothing
  --seconds <n>        measure each read for so long instead of 10 s
  --data <folder>      keep the filled database there and use it again
  --profile <folder>   write CPU profiles of the server there (slows it a little)
  --explain <folder>   write PostgreSQL's plan of each captured statement there
  --no-report          print only; do not write docs/performance.md
`;

/** Reads the command line. Throws a sentence when it is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      only: { type: 'string', multiple: true },
      operation: { type: 'string', default: '' },
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      data: { type: 'string' },
      profile: { type: 'string' },
      explain: { type: 'string' },
      report: { type: 'boolean', default: true },
    },
    allowNegative: true,
  });
  const parts = (values.only ?? [...PARTS]).map((name) => {
    const part = PARTS.find((known) => known === name);
    if (part === undefined) throw new UsageError(`There is no part "${name}". Choose from ${PARTS.join(', ')}.`);
    return part;
  });
  const size = values.quick ? QUICK : FULL;
  const isWhole = parts.length === PARTS.length && values.operation === '' && !values.quick && values.profile === undefined;
  return {
    parts,
    operation: values.operation.toLowerCase(),
    sizes: { ...size, seconds: secondsOf(values.seconds) ?? size.seconds },
    isQuick: values.quick,
    dataDir: values.data ?? null,
    profileDir: values.profile ?? null,
    explainDir: values.explain ?? null,
    writesReport: values.report && isWhole,
  };
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!(seconds > 0)) throw new UsageError(`--seconds takes a number above zero, not "${text}".`);
  return seconds;
}
