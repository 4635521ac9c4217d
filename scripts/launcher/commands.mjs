import { check } from './check.mjs';
import { handOver } from './child.mjs';
import { fetchCoderProvider } from './coder-provider.mjs';
import { at } from './paths.mjs';
import { nodeBinary } from './toolchain.mjs';

/** Half of the usual room for young objects: the server at rest needs 50 MiB less, and answers as fast (docs/performance.md). */
const SERVER_FLAGS = ['--max-semi-space-size=8'];

/** Each command of `npm run`: whether it needs the builds, and what it does; it returns the exit code. */
export const commands = {
  start: { builds: true, run: (args) => node('apps/server/src/main.ts', args, SERVER_FLAGS) },
  provisioner: { builds: true, run: (args) => node('apps/provisioner/src/external.ts', args) },
  cli: { builds: false, run: (args) => cli(args) },
  check: { builds: false, run: () => check() },
  test: { builds: true, run: (args) => test(args) },
  'audit:verify': { builds: false, run: (args) => node('apps/server/src/audit-verify.ts', args) },
  'database:repair-times': { builds: false, run: (args) => node('apps/server/src/repair-times.ts', args) },
  seed: { builds: false, run: (args) => node('seed/src/main.ts', args) },
  chaos: { builds: true, run: (args) => node('e2e/src/chaos/main.ts', args) },
  bench: { builds: true, run: (args) => node('bench/src/main.ts', args) },
};

function node(file, args, flags = []) {
  return handOver(nodeBinary(), ['--disable-warning=ExperimentalWarning', ...flags, at(file), ...args]);
}

/** Where the caller stands, since it reads and writes their files. npm goes to the root and says where it came from. */
function cli(args) {
  const file = at('apps/cli/src/main.ts');
  return handOver(nodeBinary(), ['--disable-warning=ExperimentalWarning', file, ...args], { cwd: process.env.INIT_CWD ?? process.cwd() });
}

/** Without those of the embedded PostgreSQL, whose settings Berth makes itself. */
function databaseTestsElsewhere(args) {
  const flags = ['--project', 'db', '--exclude', 'packages/db/src/embedded/**', '--passWithNoTests'];
  return handOver('vitest', ['run', ...flags, ...args], { env: { BERTH_TEST_DATABASE: 'elsewhere' } });
}

/** Everything that must hold before a change is taken; goes on after a failure, so that one run shows all of them. */
async function test(args) {
  const note = await fetchCoderProvider();
  if (note !== undefined) console.log(note);
  const parts = [
    ['The checks', () => check()],
    ['The tests', () => handOver('vitest', ['run', ...args])],
    ['The database tests, on a PostgreSQL with another time zone and locale', () => databaseTestsElsewhere(args)],
    ['The browser tests', () => handOver(at('e2e/node_modules/.bin/playwright'), ['test', '--config', at('e2e/playwright.config.ts')])],
  ];
  const failed = [];
  for (const [name, run] of parts) {
    console.log(`\n${name}`);
    const code = await run();
    if (code > 128) return code;
    if (code !== 0) failed.push(name);
  }
  console.log(failed.length === 0 ? '\nAll green.' : `\nFailed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}
