import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openClient } from '@berth/db/session';
import type { ReadResult } from './measure.ts';

/** Writes what PostgreSQL does for the statements of a read, and how long each step takes, into a file of the folder. */
export async function explain({ url, result, folder }: { url: string; result: ReadResult; folder: string }): Promise<void> {
  const client = await openClient({ connectionString: url, application_name: 'bench explain' });
  try {
    const parts: string[] = [];
    for (const { text, parameters } of result.statements) {
      const values = [...(parameters[0] ?? [])];
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values);
      parts.push(`${text}\n\n-- ${JSON.stringify(values)}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
    }
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${result.operation.name.replaceAll(/[^a-z0-9]+/gi, '-')}.txt`), parts.join('\n\n'));
  } finally {
    await client.end();
  }
}
