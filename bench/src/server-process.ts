import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endsWith } from './cleanup.ts';
import { cleanEnvironment } from './env.ts';

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
/** As `npm start` gives them. */
const SERVER_FLAGS = ['--max-semi-space-size=8'];
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process until it answered, in milliseconds. */
  readonly startMs: number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  /** Its own embedded PostgreSQL when absent. */
  readonly databaseUrl?: string;
  readonly startsProvisioner: boolean;
  readonly firstUser?: { readonly email: string; readonly username: string; readonly password: string };
  /** A CPU profile is written there when the server stops. */
  readonly profileDir?: string | null;
  readonly logFile: string;
}

/** Starts the real server on a free port and waits until it answers. Everything that it says goes to the log file. */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const profile = options.profileDir ? ['--cpu-prof', `--cpu-prof-dir=${options.profileDir}`] : [];
  const log = createWriteStream(options.logFile, { flags: 'a' });
  await once(log, 'open');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...SERVER_FLAGS, ...profile, MAIN], {
    stdio: ['ignore', log, log],
    // Out of reach of Ctrl-C, so that it is stopped in order.
    detached: true,
    env: { ...cleanEnvironment(), ...settingsOf(options, port) },
  });
  log.end();
  try {
    await answers(url, child, options.logFile);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return { url, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop: endsWith(() => stop(child)) };
}

/** A database that is kept serves servers of several runs, each with a data folder of its own: they need the same key. */
const SEALING_KEY = Buffer.alloc(32, 'bench').toString('base64');

function settingsOf(options: ServerOptions, port: number): Record<string, string> {
  const { databaseUrl, firstUser } = options;
  return {
    BERTH_HTTP_ADDRESS: `127.0.0.1:${port}`,
    BERTH_DATA_DIR: options.dataDir,
    BERTH_PROVISIONER_DAEMONS: options.startsProvisioner ? '1' : '0',
    BERTH_RATE_LIMIT: '0',
    BERTH_LOG_LEVEL: 'warn',
    ...(databaseUrl === undefined ? {} : { BERTH_DATABASE_URL: databaseUrl, BERTH_SEALING_KEYS: SEALING_KEY }),
    ...(firstUser === undefined
      ? {}
      : {
          BERTH_FIRST_USER_EMAIL: firstUser.email,
          BERTH_FIRST_USER_USERNAME: firstUser.username,
          BERTH_FIRST_USER_PASSWORD: firstUser.password,
        }),
  };
}

async function answers(url: string, child: ChildProcess, logFile: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}. See ${logFile}.`);
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok === true) return;
    await sleep(25);
  }
  throw new Error(`The server did not answer within ${START_TIMEOUT_MS / 1000} s. See ${logFile}.`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(force);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
