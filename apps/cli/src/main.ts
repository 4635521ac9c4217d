import './older-node.ts';
import { processIo } from './env.ts';
import { fileProblem } from './frame/file-problems.ts';
import { VERSION } from './frame/version.ts';

const argv = process.argv.slice(2);
process.stdout.on('error', (error) => {
  // A reader that has seen enough, such as `head`, is not a failure.
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
  const { message } = fileProblem(error) ?? error;
  process.stderr.write(`error: The output cannot be written. ${message}\n`);
  process.exit(1);
});
// With nowhere to print errors to, the exit code remains.
process.stderr.on('error', () => undefined);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  // Asked by scripts again and again, so it loads nothing.
  process.stdout.write(`${VERSION}\n`);
} else {
  const interrupt = new AbortController();
  // Once asked to stop, commands end in good order; the second time the process ends as it is.
  process.once('SIGINT', () => interrupt.abort());
  process.once('SIGTERM', () => interrupt.abort());
  process.once('SIGHUP', () => interrupt.abort());
  const { runCli } = await import('./frame/program.ts');
  process.exitCode = await runCli(argv, processIo(interrupt.signal));
}
