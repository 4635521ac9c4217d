import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startDaemon } from './daemon.ts';
import { chooseSandbox } from './drivers/process/choose-sandbox.ts';
import { ProcessDriver } from './drivers/process/driver.ts';
import { readEnv } from './env.ts';
import { describeError, writeLog } from './log.ts';
import { onParentGone, stdinIsPipe } from './parent.ts';
import { connectServer } from './rpc-server.ts';

async function main(): Promise<void> {
  // First of all: a daemon without its server would only be in the way of the next one. Workspaces go on without it.
  onParentGone({ process, stdin: stdinIsPipe() ? process.stdin : undefined }, () => process.exit(0));

  const env = readEnv();
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')));
  const workDir = join(env.dataDir, 'work');
  await rm(workDir, { recursive: true, force: true });
  const sandbox = await chooseSandbox({
    dataDir: env.dataDir,
    agentDir: env.agentDir,
    nodeBinary: process.execPath,
    hiddenPaths: env.hiddenPaths,
  });
  writeLog(sandbox.report.kind === 'none' ? 'warn' : 'info', sandbox.report.detail, { sandbox: sandbox.report.kind });

  const { server, close } = connectServer(env);
  const driver = new ProcessDriver(sandbox);
  await driver.tidy();
  const daemon = startDaemon({
    server,
    drivers: [driver],
    sandbox: sandbox.report,
    name: env.name,
    version,
    workDir,
    concurrency: env.concurrency,
    log: writeLog,
  });

  let isDraining = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isDraining) return;
      isDraining = true;
      writeLog('info', 'draining', { signal });
      void daemon.drain();
    });
  }
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
