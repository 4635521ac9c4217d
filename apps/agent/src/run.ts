import path from 'node:path';

import packageJson from '../package.json' with { type: 'json' };
import { startAgent } from './agent.ts';
import type { AgentEnv } from './env.ts';
import { environmentOfNext, readEnv, takeHandover } from './env.ts';
import { stderrLog as log } from './log.ts';
import type { Program } from './update/fetch-program.ts';
import type { Handover } from './update/handover.ts';
import { writeHandover } from './update/handover.ts';

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

  const handover = left();
  const agent = startAgent({
    env: settings(handover),
    version: VERSION,
    log,
    command: [process.execPath, path.resolve(process.argv[1] ?? '')],
    handover,
    become,
  });

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

/** The other version is this process from here on: same id, same children. What it has to know is in a file of this user's. */
function become({ node, agent }: Program, handover: Handover): void {
  const file = writeHandover(handover);
  log('info', `Becoming ${agent}`);
  process.execve?.(node, [node, agent], environmentOfNext(file));
}

function left(): Handover | undefined {
  try {
    return takeHandover();
  } catch (error) {
    log('error', 'What the earlier version of the agent left cannot be read', error);
    return undefined;
  }
}

function settings(handover: Handover | undefined): AgentEnv {
  try {
    return readEnv({ handover });
  } catch (error) {
    log('error', 'The agent cannot start', error);
    process.exit(2);
  }
}
