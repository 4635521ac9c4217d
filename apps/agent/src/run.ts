import packageJson from '../package.json' with { type: 'json' };
import { startAgent } from './agent.ts';
import type { AgentEnv } from './env.ts';
import { readEnv } from './env.ts';
import { stderrLog as log } from './log.ts';

const VERSION = `v${packageJson.version}`;

/** The process: runs until SIGTERM or SIGINT, then stops the workspace and ends with 0. A second SIGINT ends it at once. */
export function main(args: readonly string[]): void {
  if (args.includes('--version')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  // Whoever started this process may be gone, and its end of our pipe with it.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', () => undefined);
  process.on('SIGHUP', () => log('info', 'Ignored a hang-up: the workspace goes on without whoever started it'));
  // People's shells live in this process: a mistake in one of its parts must not end them.
  process.on('uncaughtException', (error) => log('error', 'A part of the agent failed', error));
  process.on('unhandledRejection', (error) => log('error', 'A part of the agent failed', error));

  const agent = startAgent({ env: settings(), version: VERSION, log, command: [process.execPath, process.argv[1] ?? ''] });

  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      // A provisioner that takes over an interrupted stop asks again; the stop scripts must not suffer from that. It can kill, too.
      if (signal === 'SIGTERM') return;
      log('warn', `${signal} again: ending at once`);
      process.exit(1);
    }
    isStopping = true;
    log('info', `${signal}: stopping the workspace`);
    agent.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'The workspace did not stop well', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function settings(): AgentEnv {
  try {
    return readEnv();
  } catch (error) {
    log('error', 'The agent cannot start', error);
    process.exit(2);
  }
}
