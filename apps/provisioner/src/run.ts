import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startDaemon } from './daemon.ts';
import { findDrivers } from './find-drivers.ts';
import type { ProvisionerEnv } from './env.ts';
import { writeLog } from './log.ts';
import { connectServer } from './rpc-server.ts';

/**
 * A daemon with every driver that this host can run, until it was asked to end by SIGTERM or SIGINT and has drained. Rejects when there is
 * no driver at all, when another daemon took over its name, or with `DaemonRejected` when the server rejects its key or registration.
 */
export async function runProvisioner(env: ProvisionerEnv, hostEnvironment: NodeJS.ProcessEnv): Promise<void> {
  // A log that nobody reads any more ends no builds; whoever started this daemon ends it by other signs.
  process.stdout.on('error', () => {});
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')));
  const { drivers, sandbox } = await findDrivers(env, hostEnvironment, writeLog);
  const workDir = join(env.dataDir, 'work');
  await rm(workDir, { recursive: true, force: true });

  const { server, close } = connectServer({ ...env, log: writeLog });
  const daemon = startDaemon({
    server,
    drivers,
    sandbox,
    tags: env.tags,
    name: env.name,
    version,
    workDir,
    concurrency: env.concurrency,
    drainMs: env.drainMs,
    log: writeLog,
  });

  let drained: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (drained !== undefined) return;
      writeLog('info', 'draining: no more jobs are taken, and running ones may finish', { signal, limit_s: env.drainMs / 1000 });
      drained = daemon.drain();
    });
  }
  await daemon.ended;
  // Which still tells the server that this daemon has left.
  await drained;
  await close();
  writeLog('info', 'drained');
}
