import type pg from 'pg';
import { migrate } from '../migrate.ts';
import { openFirstClient } from '../session.ts';
import { DatabaseStartError } from '../start-error.ts';
import { WRONG_COLUMNS, type WrongColumn } from './columns.ts';
import { isUtc, readTimesState, recordTimes } from './state.ts';

export interface RepairOptions {
  readonly url: string;
  /** The zone in which the timestamps were written; absent: the one that the database has as its default. */
  readonly zone?: string;
  /** False: changes nothing and answers what would change. */
  readonly isApplied: boolean;
  /** Repairs although the audit log does not confirm the zone. */
  readonly isForced?: boolean;
}

export interface RepairedColumn {
  readonly column: string;
  readonly rows: number;
  /** The newest wrong value, and what it becomes. */
  readonly example: { readonly from: string; readonly to: string };
}

/** What the audit log, whose times are right, says of rows whose creation it recorded: how many have the same time as their entry. */
export interface Evidence {
  readonly before: number;
  readonly after: number;
}

export interface Repair {
  readonly zone: string;
  readonly columns: readonly RepairedColumn[];
  readonly evidence: Evidence;
}

/** Any value that no other lock has: one repair at a time. */
const REPAIR_LOCK_KEY = 4_217_390_012;
const REPLICA_ALIVE = "interval '30 seconds'";

/**
 * Repairs the timestamps that earlier versions wrote to a database whose default time zone is not UTC, all of them in one transaction. A
 * second run changes nothing: it is refused, as is a database that needs no repair or that a server uses.
 */
export async function repairTimes(options: RepairOptions): Promise<Repair> {
  return await onDatabase(options, async (client) => {
    const zone = options.zone ?? (await readTimesState(client)).zone;
    await requireOtherZone(client, zone);
    const sql = new RepairSql(client, zone);
    const evidence = await readEvidence(client, sql);
    if (options.isApplied && options.isForced !== true && evidence.before > 0) {
      throw new DatabaseStartError(
        `The audit log does not confirm that everything was written in ${zone}: of the rows whose creation it recorded, ${evidence.before} already have the right time ` +
          `and ${evidence.after} would have it after the repair. Was the zone another one, or changed while Berth was in use? Nothing was changed; --force repairs all rows all the same.`,
      );
    }
    const columns = await measure(client, sql);
    if (options.isApplied) {
      for (const [table, wrong] of Object.entries(WRONG_COLUMNS)) await client.query(sql.update(table, wrong));
      await recordTimes(client, 'repaired');
    }
    return { zone, columns, evidence };
  });
}

/** Records that the timestamps need no repair, for an administrator who knows. */
export async function acknowledgeTimes(url: string): Promise<void> {
  await onDatabase({ url, isApplied: true }, (client) => recordTimes(client, 'acknowledged'));
}

async function onDatabase<T>({ url, isApplied }: { url: string; isApplied: boolean }, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // Its columns are those of this version. Without `isApplied` nothing is changed, so columns that are not there yet are left out.
  if (isApplied) await refuseWhereUseless(url).then(() => migrate({ url }));
  const client = await openFirstClient(url, 'berth repair');
  try {
    await client.query(isApplied ? 'BEGIN' : 'BEGIN READ ONLY');
    if (isApplied) await client.query('SELECT pg_advisory_xact_lock($1)', [REPAIR_LOCK_KEY]);
    await requireRepairable(client, isApplied);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

async function refuseWhereUseless(url: string): Promise<void> {
  const client = await openFirstClient(url, 'berth repair');
  try {
    await requireRepairable(client, true);
  } finally {
    await client.end();
  }
}

async function requireRepairable(client: pg.Client, isApplied: boolean): Promise<void> {
  const { origin, hasRows } = await readTimesState(client);
  if (origin !== null) {
    throw new DatabaseStartError(
      origin === 'written_in_utc'
        ? 'The timestamps of this database need no repair: this version of Berth has already started on it and found nothing wrong.'
        : `The timestamps of this database were already ${origin}.`,
    );
  }
  if (!hasRows) throw new DatabaseStartError('The database has no data of Berth, so there is nothing to repair.');
  if (!isApplied) return;
  const { rows } = await client.query<{ hostname: string }>(
    `SELECT hostname FROM replicas WHERE stopped_at IS NULL AND updated_at > now() - ${REPLICA_ALIVE} LIMIT 1`,
  );
  if (rows[0] !== undefined) {
    throw new DatabaseStartError(
      `A server on ${rows[0].hostname} uses the database, or did less than 30 seconds ago. Stop every server first.`,
    );
  }
}

async function requireOtherZone(client: pg.Client, zone: string): Promise<void> {
  const isZoneUtc = await isUtc(client, zone).catch((error: unknown) => {
    if (!isUnknownZone(error)) throw error;
    throw new DatabaseStartError(`Unknown time zone "${zone}". Name one such as Asia/Tokyo or Europe/Lisbon.`, { cause: error });
  });
  if (!isZoneUtc) return;
  throw new DatabaseStartError(
    `The time zone ${zone} is UTC, so nothing was written wrongly in it. If the database had another one before, name it: --time-zone Asia/Tokyo`,
  );
}

/** PostgreSQL knows more than names, such as `<+09>-09`, so it is asked. */
function isUnknownZone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22023';
}

/** The SQL that repairs what was written in one zone. */
class RepairSql {
  readonly #zone: string;

  constructor(client: pg.Client, zone: string) {
    this.#zone = client.escapeLiteral(zone);
  }

  /** The instant that was meant: the clock time that the zone shows at the stored one, taken as UTC. */
  shifted(column: string): string {
    return `((${column} AT TIME ZONE ${this.#zone}) AT TIME ZONE 'UTC')`;
  }

  isWrong({ name, when }: WrongColumn): string {
    // The client sends milliseconds, and PostgreSQL itself writes microseconds, as in the rows that the migrations made.
    const isOfClient = `date_trunc('milliseconds', t.${name}) = t.${name}`;
    return `t.${name} IS NOT NULL AND ${isOfClient}${when === undefined ? '' : ` AND (${this.#withShifts(when)})`}`;
  }

  repaired({ name, value }: WrongColumn): string {
    return value === undefined ? this.shifted(`t.${name}`) : this.#withShifts(value);
  }

  update(table: string, columns: readonly WrongColumn[]): string {
    const sets = columns.map(
      (column) => `${column.name} = CASE WHEN ${this.isWrong(column)} THEN ${this.repaired(column)} ELSE t.${column.name} END`,
    );
    return `UPDATE ${table} t SET ${sets.join(', ')}`;
  }

  #withShifts(sql: string): string {
    return sql.replaceAll(/\$shifted\(([\w.]+)\)/g, (_, column: string) => this.shifted(column));
  }
}

/** What the repair changes, asked of the rows as they are. */
async function measure(client: pg.Client, sql: RepairSql): Promise<RepairedColumn[]> {
  const found: RepairedColumn[] = [];
  for (const [table, columns] of Object.entries(WRONG_COLUMNS)) {
    const known = await columnsOf(client, table);
    for (const column of columns.filter(({ name }) => known.includes(name))) {
      const { rows } = await client.query<{ rows: number; from: string | null; to: string | null }>(
        `SELECT count(*)::int AS rows, (max(t.${column.name}))::text AS "from", (max(${sql.repaired(column)}))::text AS "to" FROM ${table} t WHERE ${sql.isWrong(column)}`,
      );
      const [row] = rows;
      if (row === undefined || row.from === null || row.to === null) continue;
      found.push({ column: `${table}.${column.name}`, rows: row.rows, example: { from: row.from, to: row.to } });
    }
  }
  return found;
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Entries of the audit log have their time from the database, within the transaction that wrote the row. */
async function readEvidence(client: pg.Client, sql: RepairSql): Promise<Evidence> {
  const isNear = (instant: string): string => `abs(extract(epoch FROM ${instant} - a.time)) < 300`;
  const { rows } = await client.query<{ before: number; after: number }>(
    `SELECT count(*) FILTER (WHERE ${isNear('made.created_at')} AND made.created_at <> ${sql.shifted('made.created_at')})::int AS before, count(*) FILTER (WHERE ${isNear(sql.shifted('made.created_at'))})::int AS after
     FROM audit_logs a JOIN (
       SELECT id, 'user' AS type, created_at FROM users UNION ALL SELECT id, 'template', created_at FROM templates
       UNION ALL SELECT id, 'workspace', created_at FROM workspaces UNION ALL SELECT id, 'group', created_at FROM groups
     ) made ON made.id = a.resource_id AND made.type = a.resource_type
     WHERE a.action = 'create' AND a.status_code < 400`,
  );
  return rows[0] ?? { before: 0, after: 0 };
}
