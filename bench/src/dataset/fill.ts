import { openClient } from '@berth/db/session';
import type pg from 'pg';
import type { Sizes } from '../options.ts';
import { AUDIT } from './audit.ts';
import { CREATE_FUNCTIONS } from './ids.ts';
import { PEOPLE } from './people.ts';
import { TEMPLATES } from './templates.ts';
import { WORKSPACES } from './workspaces.ts';

const AUDIT_CHUNK = 250_000;
const MARK = 'bench_dataset';

const markOf = ({ users, workspaces, auditRows }: Sizes): string => JSON.stringify({ users, workspaces, auditRows, layout: 1 });

export interface FillOptions {
  readonly url: string;
  readonly sizes: Sizes;
  readonly log: (message: string) => void;
}

/** Fills a migrated, empty database with the benchmark's rows. Answers false when it has them already. */
export async function fillDatabase({ url, sizes, log }: FillOptions): Promise<boolean> {
  const client = await openClient({ connectionString: url, application_name: 'bench fill' });
  try {
    const { rows } = await client.query<{ value: string }>('SELECT value FROM site_settings WHERE key = $1', [MARK]);
    if (rows[0] !== undefined) {
      if (rows[0].value !== markOf(sizes)) {
        throw new Error('The kept database has rows of another size. Give --data another folder, or empty it.');
      }
      return false;
    }
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '64MB'");
    await client.query(CREATE_FUNCTIONS);
    for (const statement of PEOPLE) await client.query(statement, statement.includes('$1') ? [sizes.users] : []);
    for (const statement of TEMPLATES) await client.query(statement);
    log(`${sizes.users} users, templates`);
    for (const statement of WORKSPACES) await client.query(statement, [sizes.workspaces, sizes.users]);
    log(`${sizes.workspaces} workspaces of ${sizes.buildsPerWorkspace} builds`);
    await withoutIndexes(client, 'audit_logs', async () => {
      for (let first = 1; first <= sizes.auditRows; first += AUDIT_CHUNK) {
        const last = Math.min(first + AUDIT_CHUNK - 1, sizes.auditRows);
        await client.query(AUDIT, [first, last, sizes.auditRows, sizes.users, sizes.workspaces]);
        log(`${last} audit rows`);
      }
    });
    log('indexes of the audit log');
    await client.query('INSERT INTO site_settings (key, value) VALUES ($1, $2)', [MARK, markOf(sizes)]);
    return true;
  } finally {
    await client.end();
  }
}

/** Building an index once is several times faster than growing it by a million rows. */
async function withoutIndexes(client: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE contype = 'p')`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${client.escapeIdentifier(name)}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}

/** Lets the planner know what is there, and leaves no cleaning up for the measurement. */
export async function analyzeDatabase(url: string): Promise<void> {
  const client = await openClient({ connectionString: url, application_name: 'bench analyze' });
  try {
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
