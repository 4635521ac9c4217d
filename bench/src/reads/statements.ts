import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '@berth/db/session';
import type pg from 'pg';
import { z } from 'zod';

/** A statement as the server sent it, with one set of parameters for each captured request. */
export interface CapturedStatement {
  readonly text: string;
  readonly parameters: readonly (readonly (string | null)[])[];
}

/** Makes PostgreSQL write its log as JSON lines into the cluster's folder, where `captureStatements` reads it, and count its statements. */
export const CAPTURE_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'log',
  log_filename: 'bench.log',
  log_rotation_age: '0',
  log_rotation_size: '0',
  log_file_mode: '0644',
} as const;

const LogLine = z.object({ application_name: z.string().optional(), message: z.string(), detail: z.string().optional() });
const EXECUTED = /^duration: [\d.]+ ms {2}(?:execute|bind|parse) ?[^:]*: /;
const WAIT_MS = 5000;

/**
 * The statements that `requests` makes the server run, found in PostgreSQL's own log: those that ran once for each of `count` requests
 * (background work is left out), in order.
 */
export async function captureStatements(options: {
  readonly url: string;
  readonly clusterDir: string;
  readonly count: number;
  readonly requests: () => Promise<void>;
}): Promise<CapturedStatement[]> {
  const client = await openClient({ connectionString: options.url, application_name: 'bench capture' });
  try {
    const before = (await readLog(options.clusterDir)).length;
    await setLogging(client, true);
    await options.requests();
    await setLogging(client, false);
    // The collector writes a moment later; the marker is the last line that it writes for us.
    const marker = `bench-${performance.now()}`;
    await client.query(`DO $$ BEGIN RAISE LOG '${marker}'; END $$`);
    const deadline = performance.now() + WAIT_MS;
    let text = '';
    do {
      await sleep(50);
      text = (await readLog(options.clusterDir)).slice(before);
    } while (!text.includes(marker) && performance.now() < deadline);
    return statementsOf(text, options.count);
  } finally {
    await client.end();
  }
}

async function setLogging(client: pg.Client, isOn: boolean): Promise<void> {
  await client.query(`ALTER SYSTEM SET log_min_duration_statement = ${isOn ? 0 : -1}`);
  await client.query('SELECT pg_reload_conf()');
  // Sessions read the new setting before their next statement, once the signal has reached them.
  await sleep(300);
}

async function readLog(clusterDir: string): Promise<string> {
  const folder = join(clusterDir, 'log');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
}

export function statementsOf(log: string, count: number): CapturedStatement[] {
  const found = new Map<string, (string | null)[][]>();
  for (const line of log.split('\n')) {
    if (line === '') continue;
    const parsed = LogLine.safeParse(JSON.parse(line));
    if (!parsed.success || parsed.data.application_name !== 'berth') continue;
    const { message, detail = '' } = parsed.data;
    if (!EXECUTED.test(message) || !/ execute /.test(message.slice(0, 60))) continue;
    const text = message.replace(EXECUTED, '');
    found.set(text, [...(found.get(text) ?? []), parametersOf(detail)]);
  }
  return [...found].filter(([, runs]) => runs.length >= count).map(([text, parameters]) => ({ text, parameters }));
}

/** Reads `Parameters: $1 = 'a', $2 = NULL`: values are quoted, with inner quotes doubled. */
export function parametersOf(detail: string): (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (NULL|'(?:[^']|'')*')/g)].map(([, value = 'NULL']) =>
    value === 'NULL' ? null : value.slice(1, -1).replaceAll("''", "'"),
  );
}
