import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processesNaming } from './processes.ts';

/** The built product, running as a person starts it: its own process, port, data folder and embedded PostgreSQL. */
export interface Berth {
  readonly url: string;
  readonly dataDir: string;
  /** Of the server's process; undefined while it does not run. */
  pid(): number | undefined;
  /** How the server ended by itself or by somebody's signal; undefined while it runs, and after `stop` and `kill`. */
  ended(): number | NodeJS.Signals | undefined;
  /** Everything that the server has said so far, all its starts together. */
  log(): string;
  /** Ends the server as a Ctrl-C does; rejects when it does not end cleanly. Workspaces go on. */
  stop(): Promise<void>;
  /** Ends the server as a power cut does: no chance to clean up. */
  kill(): Promise<void>;
  /** Starts the server again on the same folder and address, and waits until it answers. */
  start(): Promise<void>;
  /** Ends the server and everything that it started, and removes the folder. */
  dispose(): Promise<void>;
}

export interface BerthOptions {
  /** Further settings, such as BERTH_FIRST_USER_EMAIL. */
  readonly env?: Readonly<Record<string, string>>;
  /** A free one unless given: for what has to know the address before the server starts. */
  readonly port?: number;
}

const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 40_000;

/** Starts Berth on a free port and an empty data folder, and waits until it answers. */
export async function startBerth({ env = {}, port: askedPort }: BerthOptions = {}): Promise<Berth> {
  const dataDir = await mkdtemp(join(tmpdir(), 'berth-e2e-'));
  const port = askedPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const said: string[] = [];
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [main], {
      env: { ...ownSettingsRemoved(), BERTH_HTTP_ADDRESS: `127.0.0.1:${port}`, BERTH_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    await untilAnswers({ url, child, said });
  };
  const end = async (signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return 0;
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
      running.once('exit', (code, by) => resolve(code ?? by));
    });
    running.kill(signal);
    const result = await Promise.race([ended, sleep(STOP_TIMEOUT_MS, 'late' as const, { ref: false })]);
    if (result !== 'late') return result;
    running.kill('SIGKILL');
    throw new Error(`Berth did not end within ${STOP_TIMEOUT_MS / 1000} seconds of ${signal}.\n${said.join('').slice(-4000)}`);
  };

  const berth: Berth = {
    url,
    dataDir,
    pid: () => child?.pid,
    ended: () => child?.exitCode ?? child?.signalCode ?? undefined,
    log: () => said.join(''),
    start,
    stop: async () => {
      const code = await end('SIGINT');
      if (code !== 0) throw new Error(`Berth ended with ${code}.\n${said.join('').slice(-4000)}`);
    },
    kill: async () => void (await end('SIGKILL')),
    dispose: async () => {
      await end('SIGINT').catch(() => undefined);
      await endLeftovers(dataDir);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await start();
  } catch (error) {
    await berth.dispose();
    throw error;
  }
  return berth;
}

async function untilAnswers({ url, child, said }: { url: string; child: ChildProcess; said: readonly string[] }): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Berth ended while starting.\n${said.join('').slice(-4000)}`);
    const response = await fetch(`${url}/api/v2/buildinfo`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (response?.ok === true) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`Berth did not answer at ${url} within ${START_TIMEOUT_MS / 1000} seconds.\n${said.join('').slice(-4000)}`);
}

/** What runs Berth here must not decide how the tested one runs. */
function ownSettingsRemoved(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BERTH_')));
}

/** A port of this machine that nobody listens on now. */
export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Workspaces outlive the server on purpose; those of this test's folder end here. Nothing else names that folder. */
async function endLeftovers(dataDir: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const { pid } of await processesNaming(dataDir)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
    const deadline = Date.now() + 5000;
    while (Date.now() < deadline && (await processesNaming(dataDir)).length > 0) await sleep(50);
  }
}
