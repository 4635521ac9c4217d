import { prepareDataFolder } from '@berth/core/data-folder';
import { hostEnvironment, readEnv } from './env.ts';
import { exitCodeOf } from './exit-code.ts';
import { describeError, writeLog } from './log.ts';
import { onParentGone, stdinIsPipe } from './parent.ts';
import { runProvisioner } from './run.ts';

async function main(): Promise<void> {
  // First of all: a daemon without its server would only be in the way of the next one. Workspaces go on without it.
  onParentGone({ process, stdin: stdinIsPipe() ? process.stdin : undefined }, () => process.exit(0));
  const env = readEnv();
  prepareDataFolder(env.dataDir, 0o711);
  await runProvisioner(env, hostEnvironment());
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    writeLog('error', describeError(error));
    process.exit(exitCodeOf(error));
  },
);
