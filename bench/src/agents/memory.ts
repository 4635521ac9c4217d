import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../env.ts';
import { cpuMicros, residentBytes } from '../machine/proc.ts';

const SIMULATOR = fileURLToPath(new URL('./simulator.ts', import.meta.url));
/** A server that just started still collects the garbage of its start. */
const SETTLE_MS = 10_000;
const DIAL_TIMEOUT_MS = 120_000;

export interface MemoryResult {
  readonly agents: number;
  readonly idleBytes: number;
  readonly withAgentsBytes: number;
  /** How long all agents took to connect, in milliseconds. */
  readonly dialMs: number;
  /** Share of one core that the server used while the agents reported. */
  readonly serverLoad: number;
}

/** Reads the server's memory at rest, and again after many agents reported for a while. */
export async function measureMemory(
  { url, pid }: { url: string; pid: number },
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
    const from = { cpu: await cpuMicros(pid), at: performance.now() };
    await sleep(options.seconds * 1000);
    const serverLoad = (await cpuMicros(pid).then((cpu) => cpu - from.cpu)) / ((performance.now() - from.at) * 1000);
    return { agents: options.agents, idleBytes, withAgentsBytes: await residentBytes(pid), dialMs, serverLoad };
  } finally {
    simulator.kill('SIGKILL');
  }
}
