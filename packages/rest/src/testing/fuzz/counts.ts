import type { TestServer } from '../index.ts';

let statement: Promise<string> | undefined;

/** How many rows every table has, but those of the audit log, which grows by refusals too. */
export async function tableCounts(prisma: TestServer['prisma']): Promise<unknown> {
  statement ??= countAll(prisma);
  return prisma.$queryRawUnsafe(await statement);
}

async function countAll(prisma: TestServer['prisma']): Promise<string> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT LIKE 'audit%' AND tablename NOT LIKE '\_prisma%' ORDER BY tablename`;
  return `SELECT ${tables.map(({ name }) => `(SELECT count(*)::int FROM ${name}) AS ${name}`).join(', ')}`;
}
