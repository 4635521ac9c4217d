import type { TestServer } from './index.ts';

let statement: Promise<string> | undefined;

/** How many rows every table has, but those of the audit log, which grows by refusals too. */
export async function tableCounts(prisma: TestServer['prisma']): Promise<unknown> {
  statement ??= countAll(prisma);
  return prisma.$queryRawUnsafe(await statement);
}

async function countAll(prisma: TestServer['prisma']): Promise<string> {
  const counts = (await tables(prisma)).map((name) => `(SELECT count(*)::int FROM ${name}) AS ${name}`);
  return `SELECT ${counts.join(', ')}`;
}

async function tables(prisma: TestServer['prisma']): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT LIKE 'audit%' AND tablename NOT LIKE '\\_prisma%' ORDER BY tablename`;
  return rows.map(({ name }) => name);
}

/** A fingerprint of what every table holds, but those of the audit log. */
export async function tableContents(prisma: TestServer['prisma']): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const name of await tables(prisma)) {
    const [row] = await prisma.$queryRawUnsafe<{ hash: string }[]>(
      `SELECT coalesce(md5(string_agg(row::text, '' ORDER BY row::text)), '') AS hash FROM ${name} AS row`,
    );
    contents[name] = row?.hash ?? '';
  }
  return contents;
}
