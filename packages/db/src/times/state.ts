import type pg from 'pg';
import { openFirstClient } from '../session.ts';
import { DatabaseStartError } from '../start-error.ts';

/** The site setting that says why the timestamps of this database are right. */
const SETTING = 'timestamps';

export type TimesOrigin =
  /** Every row was written by versions that set the time zone of their sessions, or while the database's own zone was UTC. */
  | 'written_in_utc'
  /** The rows of earlier versions were repaired. */
  | 'repaired'
  /** An administrator said that they need no repair. */
  | 'acknowledged';

/** What is known about the timestamps that a database holds. */
export interface TimesState {
  /** Null: no server that sets the time zone of its sessions has started on this database yet. */
  readonly origin: string | null;
  /** The zone of a session that sets none: that of the database, the role or the server. */
  readonly zone: string;
  readonly isUtc: boolean;
  /** Whether earlier versions wrote anything. */
  readonly hasRows: boolean;
}

export async function readTimesState(client: pg.Client): Promise<TimesState> {
  const zone = await defaultZone(client);
  const hasTables =
    (await value<boolean>(client, "SELECT to_regclass('site_settings') IS NOT NULL AND to_regclass('users') IS NOT NULL")) ?? false;
  return {
    zone,
    isUtc: await isUtc(client, zone),
    origin: hasTables ? ((await value<string>(client, 'SELECT value FROM site_settings WHERE key = $1', [SETTING])) ?? null) : null,
    hasRows: hasTables && ((await value<boolean>(client, 'SELECT EXISTS (SELECT 1 FROM users)')) ?? false),
  };
}

/** What a session has before it sets a zone of its own. */
async function defaultZone(client: pg.Client): Promise<string> {
  return (await value<string>(client, "SELECT reset_val FROM pg_settings WHERE name = 'TimeZone'")) ?? 'UTC';
}

/** Whether clocks of the zone have shown UTC for as long as there has been a Berth, and will for a year. @throws for an unknown zone. */
export async function isUtc(client: pg.Client, zone: string): Promise<boolean> {
  const sql = `SELECT bool_and(day AT TIME ZONE 'UTC' = day AT TIME ZONE $1)
    FROM generate_series('2020-01-01T00:00:00Z'::timestamptz, now() + interval '1 year', interval '7 days') AS day`;
  return (await value<boolean>(client, sql, [zone])) ?? false;
}

/** Records why the timestamps are right, unless it is on record already. */
export async function recordTimes(client: pg.Client, origin: TimesOrigin): Promise<void> {
  await client.query('INSERT INTO site_settings (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [SETTING, origin]);
}

/**
 * Refuses a database whose timestamps an earlier version wrote in another time zone than UTC, before anything is changed in it. They have to be
 * repaired first: later they could not be told from those that this version writes.
 */
export async function requireCorrectTimes(url: string): Promise<void> {
  const client = await openFirstClient(url, 'berth start');
  try {
    const { origin, zone, isUtc: isZoneUtc, hasRows } = await readTimesState(client);
    if (origin !== null || isZoneUtc || !hasRows) return;
    throw new DatabaseStartError(
      `The time zone of the database is ${zone}, and an earlier version of Berth has written timestamps to it, which are wrong by the offset of that zone. ` +
        'Repair them before this version writes others: stop every server and run `npm run database:repair-times`, which shows what it would change. ' +
        'docs/guides/postgresql.md explains it.',
    );
  } finally {
    await client.end();
  }
}

/** Records that what the database holds, and all that follows, is right: after `requireCorrectTimes` and the migrations. */
export async function recordCorrectTimes(url: string): Promise<void> {
  const client = await openFirstClient(url, 'berth start');
  try {
    await recordTimes(client, 'written_in_utc');
  } finally {
    await client.end();
  }
}

async function value<T>(client: pg.Client, sql: string, parameters: readonly unknown[] = []): Promise<T | undefined> {
  const { rows } = await client.query<{ value: T }>({ text: `SELECT (${sql}) AS value`, values: [...parameters] });
  return rows[0]?.value;
}
