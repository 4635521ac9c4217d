import { Client } from 'undici';
import type { Latency } from '../machine/statistics.ts';
import { latencyOf } from '../machine/statistics.ts';

export interface Load {
  readonly url: string;
  /** Paths with their query, taken in turn by all connections. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds from sending a request to the last byte of its answer. */
  readonly latency: Latency;
  /** Answers other than 200, and requests that broke. */
  readonly failures: number;
  /** Bytes of an answer's body, on average. */
  readonly bytesPerAnswer: number;
}

interface Tally {
  readonly latencies: number[];
  failures: number;
  bytes: number;
  next: number;
}

/** Sends requests on each connection one after the other, as fast as the answers come. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const tally: Tally = { latencies: [], failures: 0, bytes: 0, next: 0 };
  const clients = Array.from({ length: load.connections }, () => new Client(load.url, { pipelining: 1 }));
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  await Promise.all(clients.map((client) => keepAsking(client, { load, tally, endsAt })));
  const elapsed = (performance.now() - startedAt) / 1000;
  await Promise.all(clients.map((client) => client.close()));
  const requests = tally.latencies.length;
  return {
    requests,
    perSecond: requests / elapsed,
    latency: latencyOf(tally.latencies),
    failures: tally.failures,
    bytesPerAnswer: tally.bytes / Math.max(1, requests),
  };
}

async function keepAsking(client: Client, { load, tally, endsAt }: { load: Load; tally: Tally; endsAt: number }): Promise<void> {
  while (performance.now() < endsAt) {
    const path = load.paths[tally.next++ % load.paths.length] ?? '/';
    const startedAt = performance.now();
    const { status, bytes } = await ask(client, path, load.headers);
    tally.latencies.push(performance.now() - startedAt);
    tally.bytes += bytes;
    if (status !== 200) tally.failures += 1;
  }
}

/** One request; the body is counted and thrown away. Status 0 when the connection broke. */
function ask(client: Client, path: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve) => {
    let status = 0;
    let bytes = 0;
    client.dispatch(
      { path, method: 'GET', headers },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_, chunk) => {
          bytes += chunk.length;
        },
        onResponseEnd: () => resolve({ status, bytes }),
        onResponseError: () => resolve({ status: 0, bytes }),
      },
    );
  });
}
