import { createPool } from '@berth/db/session';
import type { Latency } from '../machine/statistics.ts';
import { latencyOf } from '../machine/statistics.ts';
import type { CapturedStatement } from './statements.ts';

/** As many as the server itself opens. */
const POOL_SIZE = 10;

export interface AloneResult {
  readonly perSecond: number;
  readonly latency: Latency;
}

/** Answers stay the bytes that PostgreSQL sent: nothing is parsed. */
const raw = { getTypeParser: () => (value: unknown) => value };

/** Runs the captured statements of a request, named and with their own parameters, as often as the connections allow: no server, no HTTP. */
export async function runAlone(options: {
  readonly url: string;
  readonly statements: readonly CapturedStatement[];
  readonly concurrency: number;
  readonly seconds: number;
}): Promise<AloneResult> {
  const { statements, concurrency, seconds } = options;
  const pool = createPool({ connectionString: options.url, max: POOL_SIZE, application_name: 'bench alone' });
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const ask = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const turn = next++;
      const from = performance.now();
      for (const [at, { text, parameters }] of statements.entries()) {
        const values = parameters[turn % parameters.length] ?? [];
        await pool.query({ name: `alone_${at}`, text, values: [...values], types: raw, rowMode: 'array' });
      }
      latencies.push(performance.now() - from);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, ask));
    return { perSecond: latencies.length / ((performance.now() - startedAt) / 1000), latency: latencyOf(latencies) };
  } finally {
    await pool.end();
  }
}
