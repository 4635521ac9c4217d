import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError, EXIT } from './errors.ts';

/** The checkout of Berth that this program lies in, or null. */
export function ownCheckout(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (isCheckout(folder)) return folder;
    const parent = dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

function isCheckout(folder: string): boolean {
  if (!existsSync(join(folder, 'scripts/run.mjs'))) return false;
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === 'berth';
  } catch {
    return false;
  }
}

/** Hands over to a command of the checkout until it ends, and answers its exit code. */
export async function runInCheckout(command: 'start' | 'provisioner' | 'audit:verify', args: readonly string[]): Promise<number> {
  const folder = ownCheckout();
  if (folder === null) {
    throw new CliError(EXIT.failed, 'This command runs only from a checkout of Berth.', {
      next: `Clone the repository, and run there: npm ${command === 'start' ? 'start' : `run ${command}`}`,
    });
  }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, 'scripts/run.mjs'), command, ...args], { cwd: folder, stdio: 'inherit' });
    // The terminal sends Ctrl-C to both; what comes to us alone is passed on.
    const passOn = (): void => void child.kill('SIGTERM');
    process.on('SIGTERM', passOn);
    child.once('error', (cause) => reject(new CliError(EXIT.failed, 'The launcher could not be started.', { cause })));
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', passOn);
      resolve(code ?? (signal === 'SIGINT' ? EXIT.interrupted : EXIT.failed));
    });
  });
}
