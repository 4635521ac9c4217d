import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';

const run = promisify(execFile);

/** How Playwright starts the browser of the tests. */
export interface BrowserLaunch {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** Unpacked once per repository, so that neither another account's copy nor a half-unpacked one is met. */
const cache = fileURLToPath(new URL('../../node_modules/.berth/chromium', import.meta.url));
const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds a Chromium that runs here: the one of BERTH_E2E_BROWSER, the one that came with the npm dependencies (with the libraries that
 * came with it, where the system lacks them), or the system's. Throws a sentence with the cure when there is none.
 */
export async function findBrowser(): Promise<BrowserLaunch> {
  const own = process.env['BERTH_E2E_BROWSER'];
  if (own !== undefined && own !== '') return launchOf(own, {});
  const problems: string[] = [];
  if (process.platform === 'linux') {
    for (const isRetry of [false, true]) {
      try {
        // Unpacking may have been cut off the last time.
        if (isRetry) rmSync(cache, { recursive: true, force: true });
        return await unpacked();
      } catch (error) {
        problems.push(String(error));
      }
    }
  }
  for (const path of systemBrowsers) {
    if (existsSync(path) && (await whyNot(path, {})) === undefined) return launchOf(path, {});
  }
  throw new Error(
    `No Chromium runs here for the browser tests. Cure: sudo apt-get install -y chromium, or set BERTH_E2E_BROWSER to one.\n${problems.join('\n')}`,
  );
}

async function unpacked(): Promise<BrowserLaunch> {
  mkdirSync(cache, { recursive: true });
  const temporary = process.env['TMPDIR'];
  process.env['TMPDIR'] = cache;
  let path: string;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    path = await chromium.executablePath();
  } finally {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
  }
  const env: Record<string, string> = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(cache, 'fonts') };
  const problem = await whyNot(path, env);
  if (problem === undefined) return launchOf(path, env);
  if (!problem.includes('shared libraries')) throw new Error(problem);
  const withLibraries = { ...env, LD_LIBRARY_PATH: unpackLibraries() };
  const second = await whyNot(path, withLibraries);
  if (second !== undefined) throw new Error(second);
  return launchOf(path, withLibraries);
}

/** The system libraries that Chromium needs and a bare machine lacks (NSS and its like) lie beside it in the package. */
function unpackLibraries(): string {
  const target = join(cache, 'al2023');
  if (!existsSync(join(target, 'lib'))) {
    const require = createRequire(import.meta.url);
    const archive = join(dirname(require.resolve('@sparticuz/chromium')), '..', 'bin', 'al2023.tar.br');
    mkdirSync(target, { recursive: true });
    const { status, stderr } = spawnSync('tar', ['-x', '-C', target], { input: brotliDecompressSync(readFileSync(archive)) });
    if (status !== 0) throw new Error(`The browser's libraries could not be unpacked: ${String(stderr)}`);
  }
  return join(target, 'lib');
}

async function whyNot(path: string, env: Record<string, string>): Promise<string | undefined> {
  try {
    await run(path, ['--version'], { env: { ...process.env, ...env }, timeout: 30_000 });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// The sandbox of Chromium needs rights that containers and root accounts do not give it; the only pages opened are ours.
function launchOf(executablePath: string, env: Record<string, string>): BrowserLaunch {
  return { executablePath, args: ['--no-sandbox', '--headless=shell'], env: { ...definedEnvironment(), ...env } };
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
