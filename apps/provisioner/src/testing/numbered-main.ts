import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDaemon } from '../daemon.ts';
import type { AgentIdentity, Applied, Driver, DriverContext, Plan } from '../driver.ts';
import { chooseSandbox } from '../drivers/process/choose-sandbox.ts';
import { ProcessDriver } from '../drivers/process/driver.ts';
import { readEnv } from '../env.ts';
import { describeError, writeLog } from '../log.ts';
import { onParentGone, stdinIsPipe } from '../parent.ts';
import { connectServer } from '../rpc-server.ts';

/** Lines of each attempt at a build; half of them before what is planned is told to the server. */
const LINES = 60;
const EVERY_MS = 15;

async function count(from: number, to: number, { log, signal }: DriverContext): Promise<void> {
  for (let line = from; line <= to; line += 1) {
    log('info', `numbered line ${line} of ${LINES}`);
    await delay(EVERY_MS, undefined, { signal });
  }
}

/** The process driver, whose builds say `numbered line 1 of 60` and so on while they work, so that a lost or doubled line shows. */
function numbered(inner: ProcessDriver): Driver {
  return {
    type: inner.type,
    parse: (input, context) => inner.parse(input, context),
    plan: async (input, context): Promise<Plan> => {
      await count(1, LINES / 2, context);
      const plan = await inner.plan(input, context);
      const apply = async (agents: readonly AgentIdentity[], applying: DriverContext): Promise<Applied> => {
        const applied = await plan.apply(agents, applying);
        await count(LINES / 2 + 1, LINES, applying);
        return applied;
      };
      return { resources: plan.resources, apply };
    },
  };
}

/** A daemon of another host, as the chaos run starts it: its settings are those of the real one. */
async function main(): Promise<void> {
  onParentGone({ process, stdin: stdinIsPipe() ? process.stdin : undefined }, () => process.exit(0));
  const env = readEnv();
  const workDir = join(env.dataDir, 'work');
  await rm(workDir, { recursive: true, force: true });
  const { dataDir, agentDir, hiddenPaths } = env;
  const sandbox = await chooseSandbox({ dataDir, agentDir, nodeBinary: process.execPath, hiddenPaths });
  const { server, close } = connectServer({ ...env, log: writeLog });
  const daemon = startDaemon({
    server,
    drivers: [numbered(new ProcessDriver(sandbox))],
    sandbox: sandbox.report,
    name: env.name,
    version: '0.0.0',
    workDir,
    concurrency: env.concurrency,
    log: writeLog,
  });
  process.once('SIGTERM', () => void daemon.drain());
  await daemon.ended;
  await close();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    writeLog('error', describeError(error));
    process.exit(1);
  },
);
