#!/usr/bin/env node
import { processIo } from './env.ts';
import { runCli } from './frame/program.ts';

const interrupt = new AbortController();
// Once asked to stop, commands end in good order; the second time the process ends as it is.
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());
// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCli(process.argv.slice(2), processIo(interrupt.signal));
