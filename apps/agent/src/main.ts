import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Before the agent's own modules are read, so that a start compiles nothing. The build fills this folder.
enableCompileCache({ directory: path.join(import.meta.dirname, 'cache'), portable: true });
const [mode, socket = '', ...args] = process.argv.slice(2);
if (mode === 'git-askpass' || mode === 'git-ssh') {
  // Git started us, and waits.
  const { gitAskpass, gitSsh } = await import('./git-helper.ts');
  const output = { stdout: (text: string) => process.stdout.write(text), stderr: (text: string) => process.stderr.write(text) };
  process.exitCode = mode === 'git-askpass' ? await gitAskpass(socket, args[0] ?? '', output) : await gitSsh(socket, args, output);
} else {
  const { main } = await import('./run.ts');
  main(process.argv.slice(2));
}
