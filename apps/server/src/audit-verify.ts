import { noteVerification, verifyAuditChain } from '@berth/api/server';
import { counted } from '@berth/core';
import { openDatabase } from '@berth/db';
import { UsageError, readArguments } from './arguments.ts';
import { reachDatabase } from './reach-database.ts';

const HELP = `Usage: npm run audit:verify -- [HEAD] [--help]

Verifies the hash chain of the whole audit log by reading the database itself. HEAD is a head that an earlier run printed,
<position>:<hash>: the chain must pass through it. The database is found as the server finds it: by BERTH_DATABASE_URL,
or in the data folder.

Exit codes: 0 the log is unbroken, 1 a row was changed, removed or inserted, 2 the log could not be read.
`;

/** A head of an earlier run, as this program prints it: `<position>:<hash>`. */
function expectedHead(text: string | undefined): { position: bigint; hash: string } | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+):([0-9a-f]{64})$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new UsageError(
      'The head must be <position>:<hash>, as an earlier run printed it.\nUsage: npm run audit:verify -- [HEAD] [--help]',
    );
  }
  return { position: BigInt(match[1]), hash: match[2] };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Verifies the audit log's hash chain. Exit code 0: unbroken; 1: a row was changed, removed or inserted; 2: it could not be read. */
async function main(): Promise<number> {
  const parsed = readArguments({ help: HELP, positionals: 1 });
  if (parsed === null) return 0;
  const expected = expectedHead(parsed.positionals[0]);
  const { url, stop } = await reachDatabase();
  const database = openDatabase({ url, poolSize: 2 });
  try {
    const verdict = await verifyAuditChain({ prisma: database.prisma }, expected === undefined ? {} : { expected });
    await noteVerification(database.prisma, verdict);
    if (!verdict.ok) {
      say(`The audit log is broken after ${counted(verdict.rows, 'row')}.`);
      say(verdict.problem.explanation);
      return 1;
    }
    say(`The audit log is unbroken: ${counted(verdict.rows, 'sealed row')}, ${verdict.waiting} waiting to be sealed.`);
    say(`Keep this head somewhere else, and give it to a later run: ${verdict.head}`);
    return 0;
  } finally {
    await database.close();
    await stop();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
