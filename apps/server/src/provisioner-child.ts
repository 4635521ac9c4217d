import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '@berth/api/server';
import { provisionerEnvironment } from './config.ts';

const MAIN = fileURLToPath(new URL('../../provisioner/src/main.ts', import.meta.url));
const AGENT_DIR = fileURLToPath(new URL('../../agent/dist', import.meta.url));
const RESTART_FIRST_MS = 500;
const RESTART_MAX_MS = 30_000;
/** A daemon that lived this long was healthy: the next restart is quick again. */
const HEALTHY_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

export interface ProvisionerChildOptions {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  readonly log: Log;
}

/** The provisioner daemon that the server starts itself, and starts again when it dies. */
export class ProvisionerChild {
  readonly #options: ProvisionerChildOptions;
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;
  #delayMs = RESTART_FIRST_MS;
  #isStopping = false;

  constructor(options: ProvisionerChildOptions) {
    this.#options = options;
  }

  start(): void {
    const { url, key, dataDir, log } = this.#options;
    const startedAt = Date.now();
    const child = spawn(process.execPath, [MAIN], {
      // A process group of its own: a Ctrl-C in the terminal reaches the server, which then drains the daemon.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...provisionerEnvironment(),
        BERTH_URL: url,
        BERTH_PROVISIONER_KEY: key,
        BERTH_PROVISIONER_NAME: nameFor(dataDir),
        BERTH_PROVISIONER_DATA_DIR: join(dataDir, 'provisioner'),
        BERTH_PROVISIONER_HIDE: dataDir,
        BERTH_AGENT_DIR: AGENT_DIR,
      },
    });
    this.#child = child;
    child.once('error', (error) => log.error({ err: error }, 'the provisioner daemon could not be started'));
    child.once('exit', (code, signal) => {
      this.#child = null;
      if (this.#isStopping) return;
      if (Date.now() - startedAt > HEALTHY_MS) this.#delayMs = RESTART_FIRST_MS;
      log.warn({ code, signal, restart_in_ms: this.#delayMs }, 'the provisioner daemon ended; starting it again');
      this.#timer = setTimeout(() => this.start(), this.#delayMs);
      this.#delayMs = Math.min(this.#delayMs * 2, RESTART_MAX_MS);
    });
  }

  /** Lets the daemon finish or hand back its jobs, 15 s at most. Workspaces go on running. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(force);
  }
}

/** The same at each start on one data folder, so that a new daemon takes over from the last; another for each server on a host. */
function nameFor(dataDir: string): string {
  const folder = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  return `built-in-${hostname().slice(0, 40)}-${folder}`;
}
