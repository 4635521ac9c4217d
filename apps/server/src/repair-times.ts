import { counted } from '@berth/core';
import type { Repair } from '@berth/db';
import { acknowledgeTimes, repairTimes } from '@berth/db';
import { UsageError, readArguments } from './arguments.ts';
import { reachDatabase } from './reach-database.ts';

const HELP = `Usage: npm run database:repair-times -- [--time-zone ZONE] [--apply] [--force] [--acknowledge] [--help]

Repairs the timestamps that earlier versions of Berth wrote to a PostgreSQL whose time zone is not UTC: they are
wrong by the offset of that zone. Stop every server and back up the database first. Without --apply it changes
nothing and shows what it would change. A second run is refused. docs/guides/postgresql.md explains it.

  --time-zone ZONE  the zone that the database had, such as Asia/Tokyo; default: the one that it has now
  --apply           repair, in one transaction
  --force           repair although the audit log shows that some rows are right already
  --acknowledge     change nothing, and let the server start: the timestamps need no repair
  --help

It finds the database as the server does: by BERTH_DATABASE_URL, or in the data folder.
`;

const OPTIONS = {
  'time-zone': { type: 'string' },
  apply: { type: 'boolean' },
  force: { type: 'boolean' },
  acknowledge: { type: 'boolean' },
} as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function report({ zone, columns, evidence }: Repair, isApplied: boolean): void {
  const width = Math.max(0, ...columns.map(({ column }) => column.length));
  for (const { column, rows, example } of columns) {
    say(`${column.padEnd(width)}  ${counted(rows, 'row').padStart(14)}, newest ${example.from} -> ${example.to}`);
  }
  say(`\nThe audit log recorded when ${evidence.before + evidence.after} of these users, groups, templates and workspaces were created.`);
  say(`${evidence.before} of them have the right time without the repair, and ${evidence.after} with it.`);
  const total = columns.reduce((sum, { rows }) => sum + rows, 0);
  if (isApplied) say(`\nRepaired ${counted(total, 'timestamp')} written in ${zone}. The server can start.`);
  else say(`\nNothing was changed. --apply repairs ${counted(total, 'timestamp')} written in ${zone}.`);
}

async function main(): Promise<void> {
  const parsed = readArguments({ help: HELP, options: OPTIONS });
  if (parsed === null) return;
  const { 'time-zone': zone, apply, force, acknowledge } = parsed.values;
  if (acknowledge === true && (apply === true || force === true || zone !== undefined)) {
    throw new UsageError('--acknowledge changes no timestamp and takes no other option.');
  }
  const { url, stop } = await reachDatabase();
  try {
    if (acknowledge === true) {
      await acknowledgeTimes(url);
      say('Recorded that the timestamps need no repair. The server can start.');
      return;
    }
    const repair = await repairTimes({
      url,
      ...(typeof zone === 'string' ? { zone } : {}),
      isApplied: apply === true,
      isForced: force === true,
    });
    report(repair, apply === true);
  } finally {
    await stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
