import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { migrate } from '@berth/db';
import type { EmbeddedPostgres } from '@berth/db/embedded';
import { startEmbeddedPostgres } from '@berth/db/embedded';
import type { MemoryResult } from './agents/memory.ts';
import { measureMemory } from './agents/memory.ts';
import type { ConnectResult } from './connect/measure.ts';
import { measureConnect } from './connect/measure.ts';
import { endAllOnSignal, endsWith, isEndingOnSignal } from './cleanup.ts';
import type { FirstLoadResult } from './dashboard/first-load.ts';
import { measureFirstLoad } from './dashboard/first-load.ts';
import type { LongListResult } from './dashboard/long-list.ts';
import { measureLongList } from './dashboard/long-list.ts';
import { analyzeDatabase, fillDatabase } from './dataset/fill.ts';
import { storeBenchKey } from './dataset/key.ts';
import { sealEverything } from './dataset/seal.ts';
import { machineFacts } from './machine/facts.ts';
import type { Options } from './options.ts';
import { USAGE, UsageError, readOptions } from './options.ts';
import type { CombinationsResult } from './reads/audit-combinations.ts';
import { measureAuditCombinations } from './reads/audit-combinations.ts';
import { explain } from './reads/explain.ts';
import type { ReadResult } from './reads/measure.ts';
import { measureRead } from './reads/measure.ts';
import { readOperations } from './reads/operations.ts';
import { CAPTURE_SETTINGS } from './reads/statements.ts';
import { reportOf } from './report.ts';
import type { ServerProcess } from './server-process.ts';
import { startServerProcess } from './server-process.ts';
import type { PickUpResult } from './queue/pick-up.ts';
import { measurePickUp } from './queue/pick-up.ts';
import type { StartResult } from './start/cold-start.ts';
import { measureStarts } from './start/cold-start.ts';
import { FIRST_USER, signIn } from './start/sign-in.ts';

const REPORT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const FORMATTER = fileURLToPath(new URL('../../node_modules/.bin/oxfmt', import.meta.url));

function log(message: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${message}\n`);
}

interface Place {
  /** Temporary; gone after the run unless something fails. */
  readonly scratch: string;
  readonly dataDir: string;
}

interface Filled {
  readonly postgres: EmbeddedPostgres;
  /** Null when the rows were there already. */
  readonly fillSeconds: number | null;
}

/** The database with its rows, sealed and analysed, on a PostgreSQL with the product's own settings. */
async function prepareDatabase(place: Place, { sizes }: Options): Promise<Filled> {
  const startedAt = performance.now();
  const quick = await startEmbeddedPostgres({ dataDir: place.dataDir, durable: false, settings: { max_wal_size: '4GB' }, log });
  const stopQuick = endsWith(() => quick.stop());
  let isNew: boolean;
  try {
    await migrate({ url: quick.url });
    log('filling the database');
    isNew = await fillDatabase({ url: quick.url, sizes, log });
    if (isNew) log(`${await sealEverything(quick.url, log)} audit rows sealed`);
    await storeBenchKey(quick.url);
    await analyzeDatabase(quick.url);
  } finally {
    await stopQuick();
  }
  const fillSeconds = (performance.now() - startedAt) / 1000;
  log(isNew ? `the database is ready after ${fillSeconds.toFixed(0)} s` : 'the database was filled before');
  const postgres = await startEmbeddedPostgres({ dataDir: place.dataDir, settings: CAPTURE_SETTINGS, log });
  return { postgres, fillSeconds: isNew ? fillSeconds : null };
}

async function measureWithData(place: Place, options: Options) {
  const { postgres, fillSeconds } = await prepareDatabase(place, options);
  const stopPostgres = endsWith(() => postgres.stop());
  let server: ServerProcess | undefined;
  const reads: ReadResult[] = [];
  let memory: MemoryResult | null = null;
  let firstLoad: FirstLoadResult | null = null;
  let audit: CombinationsResult | null = null;
  try {
    server = await startServerProcess({
      dataDir: join(place.scratch, 'server'),
      databaseUrl: postgres.url,
      startsProvisioner: false,
      profileDir: options.profileDir,
      logFile: join(place.scratch, 'server.log'),
    });
    log(`the server answered after ${server.startMs.toFixed(0)} ms`);
    // Memory first: reads leave a heap behind that has grown.
    if (options.parts.includes('memory')) {
      memory = await measureMemory(
        { ...server, postgresPid: postgres.pid, databaseUrl: postgres.url },
        { agents: options.sizes.agents, seconds: options.sizes.agentSeconds, log },
      );
    }
    if (options.parts.includes('dashboard')) {
      firstLoad = await measureFirstLoad(server.url, { page: '/workspaces', loads: options.sizes.loads, log });
    }
    if (options.parts.includes('audit')) audit = await measureAuditCombinations(server.url, { log });
    if (options.parts.includes('reads')) {
      const at = {
        serverUrl: server.url,
        serverPid: server.pid,
        postgresPid: postgres.pid,
        databaseUrl: postgres.url,
        clusterDir: join(place.dataDir, 'postgres'),
      };
      for (const operation of readOperations(options.sizes)) {
        if (!operation.name.toLowerCase().includes(options.operation)) continue;
        const result = await measureRead(operation, at, options.sizes);
        reads.push(result);
        if (options.explainDir !== null) await explain({ url: postgres.url, result, folder: options.explainDir });
        log(
          `${operation.name}: REST ${result.rest.perSecond.toFixed(0)}/s p95 ${result.rest.latency.p95.toFixed(1)} ms, ` +
            `tRPC ${result.rpc.perSecond.toFixed(0)}/s, PostgreSQL alone ${result.alone.perSecond.toFixed(0)}/s`,
        );
      }
    }
    return { reads, audit, memory, firstLoad, fillSeconds, serverStartMs: server.startMs };
  } finally {
    await server?.stop();
    await stopPostgres();
  }
}

/** In a database of its own, which has nothing but the list. */
async function measureScroll(place: Place, options: Options): Promise<LongListResult> {
  const dataDir = join(place.scratch, 'scroll');
  const sizes = { ...options.sizes, workspaces: options.sizes.listedWorkspaces, auditRows: 0 };
  const { postgres } = await prepareDatabase({ ...place, dataDir }, { ...options, sizes });
  const stopPostgres = endsWith(() => postgres.stop());
  let server: ServerProcess | undefined;
  try {
    server = await startServerProcess({
      dataDir: join(place.scratch, 'scroll-server'),
      databaseUrl: postgres.url,
      startsProvisioner: false,
      profileDir: options.profileDir,
      logFile: join(place.scratch, 'scroll.log'),
    });
    return await measureLongList(server.url, { log });
  } finally {
    await server?.stop();
    await stopPostgres();
  }
}

async function measureColdStarts(place: Place, options: Options): Promise<StartResult> {
  const server = await startServerProcess({
    dataDir: join(place.scratch, 'start'),
    startsProvisioner: true,
    firstUser: FIRST_USER,
    profileDir: options.profileDir,
    logFile: join(place.scratch, 'start.log'),
  });
  try {
    return await measureStarts(server.url, await signIn(server.url), { starts: options.sizes.starts, log });
  } finally {
    await server.stop();
  }
}

async function measureConnections(place: Place, options: Options): Promise<ConnectResult> {
  const server = await startServerProcess({
    dataDir: join(place.scratch, 'connect'),
    startsProvisioner: true,
    firstUser: FIRST_USER,
    profileDir: options.profileDir,
    logFile: join(place.scratch, 'connect.log'),
  });
  try {
    const { keys, streamBytes } = options.sizes;
    return await measureConnect(server, await signIn(server.url), { keys, streamBytes, log });
  } finally {
    await server.stop();
  }
}

async function measurePickUps(place: Place, options: Options): Promise<PickUpResult> {
  const server = await startServerProcess({
    dataDir: join(place.scratch, 'queue'),
    startsProvisioner: false,
    firstUser: FIRST_USER,
    profileDir: options.profileDir,
    logFile: join(place.scratch, 'queue.log'),
  });
  try {
    const { daemons, pickUps } = options.sizes;
    return await measurePickUp(server.url, await signIn(server.url), { daemons, builds: pickUps, log });
  } finally {
    await server.stop();
  }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return void process.stdout.write(USAGE);
  const options = readOptions(args);
  endAllOnSignal();
  const machine = await machineFacts();
  const scratch = await mkdtemp(join(tmpdir(), 'berth-bench-'));
  const place = { scratch, dataDir: options.dataDir ?? join(scratch, 'database') };
  await mkdir(place.dataDir, { recursive: true });
  log(`working in ${scratch}`);

  const needsData = (['reads', 'audit', 'memory', 'dashboard'] as const).some((part) => options.parts.includes(part));
  const withData = needsData
    ? await measureWithData(place, options)
    : { reads: [], audit: null, memory: null, firstLoad: null, fillSeconds: null, serverStartMs: null };
  const longList = options.parts.includes('scroll') ? await measureScroll(place, options) : null;
  const start = options.parts.includes('start') ? await measureColdStarts(place, options) : null;
  const connect = options.parts.includes('connect') ? await measureConnections(place, options) : null;
  const pickUp = options.parts.includes('pickup') ? await measurePickUps(place, options) : null;
  const report = reportOf({
    ...withData,
    longList,
    start,
    pickUp,
    connect,
    machine,
    sizes: options.sizes,
    date: new Date().toISOString().slice(0, 10),
    command: ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
  });
  process.stdout.write(`\n${report}`);
  if (options.writesReport) {
    await writeFile(REPORT, report);
    await promisify(execFile)(FORMATTER, ['--write', REPORT]);
    log(`written to ${REPORT}`);
  }
  await rm(scratch, { recursive: true, force: true });
}

main().catch((error: unknown) => {
  if (isEndingOnSignal()) return;
  const isUsage =
    error instanceof UsageError || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  process.stderr.write(
    isUsage ? `${error.message}\n\n${USAGE}` : `\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
