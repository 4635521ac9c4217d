import { parseArgs } from 'node:util';
import { runChaos } from './run.ts';

const USAGE = 'npm run chaos -- [--kills 200] [--seed TEXT] [--minutes 60] [--users 4] [--workspaces 2]';

function whole(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0.\n${USAGE}`);
  return value;
}

/** Exit code 0: everything held; 1: something did not, or the run could not be made. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now()) },
      minutes: { type: 'string', default: '60' },
      users: { type: 'string', default: '4' },
      workspaces: { type: 'string', default: '2' },
    },
  });
  if (process.platform !== 'linux') throw new Error('The chaos run looks at processes through /proc: it needs Linux.');
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`Seed ${values.seed}`);
  const report = await runChaos({
    kills: whole('kills', values.kills),
    seed: values.seed,
    minutes: whole('minutes', values.minutes),
    users: whole('users', values.users),
    workspacesEach: whole('workspaces', values.workspaces),
    say,
  });
  say(`\n${report.summary.join('\n')}`);
  if (report.violations.length === 0) {
    say('\nEverything held: no build stuck, no process or folder left, every workspace deleted, no line lost or doubled.');
    return 0;
  }
  say(`\n${report.violations.length} violations:\n\n${report.violations.join('\n\n')}`);
  if (report.keptIn !== undefined) say(`\nThe data folder is kept: ${report.keptIn}`);
  return 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
