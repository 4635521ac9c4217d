import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Berth, startBerth } from '../berth.ts';
import { listProcesses } from '../processes.ts';
import type { ChaosEvent } from './events.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const LOOK_EVERY_MS = 50;
const CALM_MS = 120_000;
/** A server that ends this often while it starts, and nobody did anything to it, does not come back. */
const FAILED_STARTS_MAX = 5;

/** The product with what a supervisor does for it: what ends is started again. */
export interface Product {
  readonly berth: Berth;
  /** How often the server ended although nobody meant it, such as after its database. */
  readonly unbidden: () => number;
  /** What the daemons of the other host said. */
  readonly daemonLog: () => string;
  /** Starts the daemon of another host, and again whenever it ends. */
  startDaemon(key: string): void;
  /** Does what the event says; answers in words to whom. A freeze goes on while this has answered. */
  strike(event: ChaosEvent): Promise<string>;
  /** Whether the server answers within this time. */
  answers(timeoutMs: number): Promise<boolean>;
  /** Resolves when everything that was frozen is thawed; rejects when the server does not come back. */
  calm(): Promise<void>;
  /** Ends the daemon and then the server, and starts nothing again. */
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startProduct(say: (line: string) => void): Promise<Product> {
  const berth = await startBerth({ env: { BERTH_RATE_LIMIT: '1000000' } });
  const { dataDir } = berth;
  const stopping = new AbortController();
  const thawing = new Set<Promise<void>>();
  let unbidden = 0;
  let failedStarts = 0;
  let isMeant = false;
  let failure: Error | undefined;
  let daemon: ChildProcess | undefined;
  const daemonSaid: string[] = [];

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted && failure === undefined) {
      const ended = berth.ended();
      if (ended === undefined) {
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      if (!isMeant && ended !== 'SIGKILL') {
        unbidden += 1;
        say(`  the server ended by itself (${ended})`);
      }
      isMeant = false;
      try {
        await berth.start();
        failedStarts = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        failedStarts = isMeant ? 0 : failedStarts + 1;
        say(`  the server did not start: ${String(error).split('\n')[0]}`);
        if (failedStarts >= FAILED_STARTS_MAX) failure = new Error('The server does not start any more.', { cause: error });
      }
    }
  }
  const supervised = supervise();

  function runDaemon(key: string): void {
    if (stopping.signal.aborted) return;
    const child = spawn(process.execPath, [join(REPOSITORY, 'apps/provisioner/src/testing/numbered-main.ts')], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        BERTH_URL: berth.url,
        BERTH_PROVISIONER_KEY: key,
        BERTH_PROVISIONER_NAME: 'other-host',
        BERTH_PROVISIONER_DATA_DIR: join(dataDir, 'other-host'),
        BERTH_AGENT_DIR: join(REPOSITORY, 'apps/agent/dist'),
      },
      // It ends with us: its standard input is a pipe that we hold.
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    daemon = child;
    child.stdout?.on('data', (chunk: Buffer) => daemonSaid.push(chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => daemonSaid.push(chunk.toString()));
    child.once('exit', () => setTimeout(() => runDaemon(key), 200));
  }

  function freeze(pids: readonly number[], millis: number): void {
    for (const pid of pids) send(pid, 'SIGSTOP');
    const thawed = sleep(millis).then(() => {
      for (const pid of pids) send(pid, 'SIGCONT');
      thawing.delete(thawed);
    });
    thawing.add(thawed);
  }

  async function strike({ kind, frozenMs, which }: ChaosEvent): Promise<string> {
    const [how = '', whom = ''] = kind.split(' ');
    const victims = kind === 'power cut' ? await everything() : await find(whom, which);
    if (how !== 'freeze' && victims.includes(berth.pid() ?? 0)) isMeant = true;
    if (how === 'freeze') freeze(victims, frozenMs);
    // PostgreSQL hands sessions the end they are told; its main process waits for them at SIGTERM, which a supervisor never sends.
    else for (const pid of victims) send(pid, how === 'end' ? (whom === 'database' ? 'SIGINT' : 'SIGTERM') : 'SIGKILL');
    return victims.length === 0 ? 'nobody was there' : `${victims.join(', ')}${how === 'freeze' ? ` for ${frozenMs} ms` : ''}`;
  }

  async function answers(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (failure === undefined && performance.now() < deadline) {
      const answer = await fetch(`${berth.url}/api/v2/buildinfo`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
      if (answer?.ok === true && berth.ended() === undefined) return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  async function find(whom: string, which: number): Promise<number[]> {
    switch (whom) {
      case 'server':
        return [berth.pid() ?? 0].filter((pid) => pid > 0 && berth.ended() === undefined);
      case 'daemon':
        return daemon?.pid === undefined || daemon.exitCode !== null || daemon.signalCode !== null ? [] : [daemon.pid];
      case 'provisioner':
        return await builtInDaemons();
      case 'database':
        return await postmaster();
      default: {
        const sessions = await databaseSessions();
        const victim = sessions[Math.floor(which * sessions.length)];
        return victim === undefined ? [] : [victim];
      }
    }
  }

  async function everything(): Promise<number[]> {
    const groups = await Promise.all([builtInDaemons(), databaseSessions(), postmaster(), find('server', 0), find('daemon', 0)]);
    return groups.flat();
  }

  async function builtInDaemons(): Promise<number[]> {
    const mark = `BERTH_PROVISIONER_DATA_DIR=${join(dataDir, 'provisioner')}`;
    const all = await listProcesses();
    return all
      .filter(({ command, environment }) => command.includes('provisioner') && environment.split('\n').includes(mark))
      .map(({ pid }) => pid);
  }

  async function postmaster(): Promise<number[]> {
    const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes(join(dataDir, 'postgres')) ? [Number(pid)] : [];
  }

  async function databaseSessions(): Promise<number[]> {
    const [parent] = await postmaster();
    const all = await listProcesses();
    return all.filter((seen) => seen.parent === parent && seen.command.startsWith('postgres: berth ')).map(({ pid }) => pid);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await supervised;
    if (daemon !== undefined && daemon.exitCode === null && daemon.signalCode === null) {
      const gone = new Promise((resolve) => daemon?.once('exit', resolve));
      daemon.kill('SIGTERM');
      if ((await Promise.race([gone, sleep(20_000, 'late')])) === 'late') daemon.kill('SIGKILL');
    }
    await berth.stop();
  }

  return {
    berth,
    unbidden: () => unbidden,
    daemonLog: () => daemonSaid.join(''),
    startDaemon: runDaemon,
    strike,
    answers,
    calm: async () => {
      await Promise.all(thawing);
      if (!(await answers(CALM_MS))) throw failure ?? new Error('The server does not answer after the last event.');
    },
    stop,
    dispose: async () => {
      stopping.abort();
      daemon?.kill('SIGKILL');
      await supervised.catch(() => undefined);
      await berth.dispose();
    },
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
