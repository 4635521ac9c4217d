import { benchKey } from '../dataset/key.ts';
import { cpuMicros, familyCpuMicros } from '../machine/proc.ts';
import type { Sizes } from '../options.ts';
import type { LoadResult } from './load.ts';
import { runLoad } from './load.ts';
import type { ReadOperation } from './operations.ts';
import type { AloneResult } from './postgres-alone.ts';
import { runAlone } from './postgres-alone.ts';
import type { CapturedStatement } from './statements.ts';
import { captureStatements } from './statements.ts';

export interface DoorResult extends LoadResult {
  /** Processor time of the server process for one request, in microseconds. */
  readonly serverMicros: number;
  /** The same of all PostgreSQL processes. */
  readonly postgresMicros: number;
}

export interface ReadResult {
  readonly operation: ReadOperation;
  readonly rest: DoorResult;
  readonly rpc: DoorResult;
  readonly alone: AloneResult;
  /** The SQL of one request. */
  readonly statements: readonly CapturedStatement[];
}

export interface Measured {
  readonly serverUrl: string;
  readonly serverPid: number;
  readonly postgresPid: number;
  readonly databaseUrl: string;
  /** The cluster's folder. */
  readonly clusterDir: string;
}

const CAPTURED_REQUESTS = 20;
const HEADERS = { 'service-session-token': benchKey.token };

/** Measures one read over both doors, and then what PostgreSQL does alone with the same statements. */
export async function measureRead(operation: ReadOperation, at: Measured, sizes: Sizes): Promise<ReadResult> {
  const restPaths = operation.rest;
  const rpcPaths = operation.rpc.inputs.map((input) => `/api/rpc/${operation.rpc.path}?input=${encodeURIComponent(JSON.stringify(input))}`);
  await checkAnswer(at.serverUrl, restPaths[0] ?? '/');
  await checkAnswer(at.serverUrl, rpcPaths[0] ?? '/');

  const rest = await measureDoor(restPaths, at, sizes);
  const rpc = await measureDoor(rpcPaths, at, sizes);
  const statements = await captureStatements({
    url: at.databaseUrl,
    clusterDir: at.clusterDir,
    count: CAPTURED_REQUESTS,
    requests: async () => {
      for (let turn = 0; turn < CAPTURED_REQUESTS; turn++) await checkAnswer(at.serverUrl, restPaths[turn % restPaths.length] ?? '/');
    },
  });
  if (statements.length === 0) throw new Error(`No SQL of "${operation.name}" was found in PostgreSQL's log.`);
  const alone = await runAlone({ url: at.databaseUrl, statements, concurrency: sizes.connections, seconds: sizes.seconds });
  return { operation, rest, rpc, alone, statements };
}

async function measureDoor(paths: readonly string[], at: Measured, sizes: Sizes): Promise<DoorResult> {
  const load = { url: at.serverUrl, paths, headers: HEADERS, connections: sizes.connections };
  await runLoad({ ...load, seconds: sizes.warmUpSeconds });
  const before = await Promise.all([cpuMicros(at.serverPid), familyCpuMicros(at.postgresPid)]);
  const result = await runLoad({ ...load, seconds: sizes.seconds });
  const after = await Promise.all([cpuMicros(at.serverPid), familyCpuMicros(at.postgresPid)]);
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests to ${paths[0]} failed.`);
  return { ...result, serverMicros: (after[0] - before[0]) / result.requests, postgresMicros: (after[1] - before[1]) / result.requests };
}

/** A wrong question would be measured as a quick one: each must answer 200. */
async function checkAnswer(url: string, path: string): Promise<void> {
  const response = await fetch(`${url}${path}`, { headers: HEADERS });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}: ${text.slice(0, 500)}`);
}
