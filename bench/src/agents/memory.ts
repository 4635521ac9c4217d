import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openClient } from '@berth/db/session';
import { z } from 'zod';
import { cleanEnvironment } from '../env.ts';
import { cpuMicros, familyCpuMicros, residentBytes } from '../machine/proc.ts';

const SIMULATOR = fileURLToPath(new URL('./simulator.ts', import.meta.url));
/** A server that just started still collects the garbage of its start. */
const SETTLE_MS = 10_000;
const DIAL_TIMEOUT_MS = 120_000;

const Counted = z.object({ calls: z.number() });

export interface MemoryResult {
  readonly agents: number;
  readonly idleBytes: number;
  readonly withAgentsBytes: number;
  /** How long all agents took to connect, in milliseconds. */
  readonly dialMs: number;
  /** Share of one core that the server used while the agents reported. */
  readonly serverLoad: number;
  /** The same of PostgreSQL, all its processes together. */
  readonly postgresLoad: number;
  /** Of the whole database while the agents reported, transactions' own included. */
  readonly statementsPerSecond: number;
}

/** Reads the server's memory at rest, and again after many agents reported for a while. */
export async function measureMemory(
  { url, pid, postgresPid, databaseUrl }: { url: string; pid: number; postgresPid: number; databaseUrl: string },
  options: { agents: number; seconds: number; log: (message: string) => void },
): Promise<MemoryResult> {
  await sleep(SETTLE_MS);
  const idleBytes = await residentBytes(pid);
  options.log(`idle: ${(idleBytes / 2 ** 20).toFixed(0)} MiB`);
  const simulator = fork(SIMULATOR, [url, String(options.agents)], { env: cleanEnvironment() });
  try {
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(DIAL_TIMEOUT_MS);
    await Promise.race([
      once(simulator, 'message', { signal: timeout }),
      once(simulator, 'exit', { signal: timeout }).then(([code]) =>
        Promise.reject(new Error(`The simulated agents ended with code ${String(code)}.`)),
      ),
    ]);
    const dialMs = performance.now() - startedAt;
    options.log(`${options.agents} agents connected in ${(dialMs / 1000).toFixed(1)} s`);
    const now = async () => ({
      server: await cpuMicros(pid),
      postgres: await familyCpuMicros(postgresPid),
      statements: await statementCount(databaseUrl),
      at: performance.now() / 1000,
    });
    const from = await now();
    await sleep(options.seconds * 1000);
    const to = await now();
    const seconds = to.at - from.at;
    return {
      agents: options.agents,
      idleBytes,
      withAgentsBytes: await residentBytes(pid),
      dialMs,
      serverLoad: (to.server - from.server) / (seconds * 1e6),
      postgresLoad: (to.postgres - from.postgres) / (seconds * 1e6),
      statementsPerSecond: (to.statements - from.statements) / seconds,
    };
  } finally {
    simulator.kill('SIGKILL');
  }
}

/** Statements since the start of the cluster, which has `pg_stat_statements` loaded (`CAPTURE_SETTINGS`). */
async function statementCount(url: string): Promise<number> {
  const client = await openClient({ connectionString: url, application_name: 'bench' });
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const { rows } = await client.query('SELECT sum(calls)::float8 AS calls FROM pg_stat_statements');
    return Counted.parse(rows[0]).calls;
  } finally {
    await client.end();
  }
}
