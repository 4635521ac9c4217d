import { once } from 'node:events';
import type { Duplex } from 'node:stream';

import type { Client } from 'ssh2';

const ANSWER_MS = 10_000;

/** Milliseconds. */
export interface Statistics {
  readonly count: number;
  readonly lost: number;
  readonly min_ms: number;
  readonly avg_ms: number;
  readonly max_ms: number;
  readonly p95_ms: number;
}

/** What a list of times comes to; null stands for one that was not answered. */
export function statisticsOf(times: readonly (number | null)[]): Statistics {
  const answered = times.filter((time) => time !== null).toSorted((one, other) => one - other);
  const at = (part: number): number => answered[Math.max(0, Math.ceil(part * answered.length) - 1)] ?? 0;
  const sum = answered.reduce((total, time) => total + time, 0);
  return {
    count: times.length,
    lost: times.length - answered.length,
    min_ms: rounded(at(0)),
    avg_ms: rounded(answered.length === 0 ? 0 : sum / answered.length),
    max_ms: rounded(at(1)),
    p95_ms: rounded(at(0.95)),
  };
}

export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** Milliseconds until the agent's first byte on a stream that was just asked for. The stream is good for nothing afterwards. */
export async function timeToFirstByte(open: () => Promise<Duplex>): Promise<number> {
  const began = performance.now();
  const stream = await open();
  try {
    await once(stream, 'data', { signal: AbortSignal.timeout(ANSWER_MS) });
    return performance.now() - began;
  } finally {
    stream.destroy();
  }
}

/** Milliseconds of one question to the agent's SSH server and back, through the server and the tunnel; null when no answer comes. */
export async function roundTrip(client: Client): Promise<number | null> {
  const began = performance.now();
  const answered = new Promise<number>((resolve) => {
    // A forwarding that nobody asked for: the cheapest question that has an answer.
    client.unforwardIn('127.0.0.1', 65_535, () => resolve(performance.now() - began));
  });
  const late = AbortSignal.timeout(ANSWER_MS);
  return Promise.race([answered, new Promise<null>((resolve) => late.addEventListener('abort', () => resolve(null), { once: true }))]);
}
