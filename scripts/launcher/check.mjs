import { capture } from './child.mjs';
import { at } from './paths.mjs';

const checks = [
  ['format', 'oxfmt', ['--check', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings', '.']],
  ['types', 'turbo', ['run', 'typecheck', '--output-logs=errors-only', '--ui=stream', '--continue']],
  ['dead code', 'knip', ['--no-progress']],
  ['walls', 'node', [at('scripts/check-walls.mjs')]],
  ['migrations', 'pnpm', ['--silent', '--filter', '@berth/db', 'migrations', 'drift']],
];

/** Format, lint, types, dead code, import walls, migrations: each a line with its time, and all that was said when it fails. */
export async function check() {
  const failures = [];
  for (const [name, program, args] of checks) {
    const started = performance.now();
    const { code, output } = await capture(program, args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (code !== 0) {
      failures.push(name);
      console.log(output.trimEnd());
    }
  }
  if (failures.length > 0) {
    console.log(`\nFailed: ${failures.join(', ')}. \`pnpm format\` and \`pnpm lint:fix\` mend what a machine can mend.`);
  }
  return failures.length === 0 ? 0 : 1;
}
