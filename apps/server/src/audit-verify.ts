import { counted } from '@berth/core';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noteVerification, verifyAuditChain } from '@berth/api/server';
import { openDatabase } from '@berth/db';
import { runningEmbeddedUrl, startEmbeddedPostgres } from '@berth/db/embedded';
import { readConfig } from './config.ts';

/** A head of an earlier run, as this program prints it: `<position>:<hash>`. */
function expectedHead(text: string | undefined): { position: bigint; hash: string } | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+):([0-9a-f]{64})$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new Error('The head must be <position>:<hash>, as an earlier run printed it.');
  }
  return { position: BigInt(match[1]), hash: match[2] };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The database of a running server, of the settings, or of a stopped server, which is then started for the time it takes. */
async function reachDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { databaseUrl, dataDir } = readConfig();
  const running = databaseUrl ?? (await runningEmbeddedUrl(dataDir));
  if (running !== undefined) return { url: running, stop: () => Promise.resolve() };
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new Error(`There is no database in ${dataDir}. Set BERTH_DATA_DIR or BERTH_DATABASE_URL as for the server.`);
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  return { url: postgres.url, stop: () => postgres.stop() };
}

/** Verifies the audit log's hash chain. Exit code 0: unbroken; 1: a row was changed, removed or inserted; 2: it could not be read. */
async function main(): Promise<number> {
  const expected = expectedHead(process.argv[2]);
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
