import { SealError } from '@berth/core/sealer';
import { Prisma } from '@berth/db';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { SEALED_COLUMNS, contextOf } from './columns.ts';
import { forgetOlderKeys } from './deployment-keys.ts';

/** Rows read and sealed anew at a time: a bound for memory, and for how long a stop waits. */
const BATCH = 200;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly key: readonly (readonly [name: string, type: string])[];
}

const COLUMNS: readonly Column[] = Object.entries(SEALED_COLUMNS).flatMap(([table, { key, columns }]) =>
  columns.map((name) => ({ table, name, key })),
);

/** What one pass over every sealed column did. */
export interface Resealed {
  /** Values that an older key had sealed. */
  readonly resealed: number;
  /** Values that no known key opens; they stay as they are. */
  readonly unreadable: number;
}

type Resealer = Pick<Services, 'prisma' | 'sealer' | 'log'>;

/**
 * Seals every stored secret with the newest key that an older one sealed, in batches. Safe on all replicas at once and beside every other
 * change: a value is replaced only while the old bytes still stand. Logs how it went; when nothing is left, older keys may be dropped.
 */
export async function resealSecrets(services: Resealer, signal: AbortSignal): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  for (const column of COLUMNS) {
    let after: readonly string[] | null = null;
    do {
      const rows = await readOld(services, column, after);
      for (const row of rows) {
        const isOpened = await resealRow(services, column, row);
        if (isOpened) resealed += 1;
        else unreadable += 1;
      }
      after = rows.length < BATCH ? null : (rows.at(-1)?.key ?? null);
    } while (after !== null && !signal.aborted);
  }
  if (signal.aborted) return { resealed, unreadable };
  if (unreadable > 0) services.log.warn({ resealed, unreadable }, 'some stored secrets were sealed with a key that is not configured');
  else services.log.info({ resealed }, 'every stored secret is sealed with the newest key');
  // A server that still seals with an older key may have stored a secret during this pass: the next one decides.
  if (resealed + unreadable === 0) await forgetOlderKeys(services);
  return { resealed, unreadable };
}

const Rows = z.array(z.object({ key: z.array(z.string()), sealed: z.instanceof(Uint8Array) }));
type Row = z.output<typeof Rows>[number];

const identifier = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);
const columnsOf = ({ key }: Column): Prisma.Sql => Prisma.join(key.map(([name]) => identifier(name)));
const valuesOf = ({ key }: Column, values: readonly string[]): Prisma.Sql =>
  Prisma.join(key.map(([, type], index) => Prisma.sql`${values[index]}::${Prisma.raw(type)}`));

/** The next rows whose value another key than the newest sealed, in the order of the primary key. */
async function readOld({ prisma, sealer }: Resealer, column: Column, after: readonly string[] | null): Promise<Row[]> {
  const sealed = identifier(column.name);
  const keyTexts = Prisma.join(column.key.map(([name]) => Prisma.sql`${identifier(name)}::text`));
  const isAfter = after === null ? Prisma.empty : Prisma.sql`AND (${columnsOf(column)}) > (${valuesOf(column, after)})`;
  return Rows.parse(
    await prisma.$queryRaw`
      SELECT ARRAY[${keyTexts}] AS key, ${sealed} AS sealed FROM ${identifier(column.table)}
      WHERE ${sealed} IS NOT NULL AND substring(${sealed} FROM 1 FOR ${sealer.keyId.length}) <> ${sealer.keyId} ${isAfter}
      ORDER BY ${columnsOf(column)} LIMIT ${BATCH}`,
  );
}

/** Whether the value could be opened. One that changed meanwhile was sealed by whoever changed it. */
async function resealRow({ prisma, sealer, log }: Resealer, column: Column, { key, sealed }: Row): Promise<boolean> {
  const context = contextOf(column.table, column.name, key);
  try {
    const anew = sealer.seal(sealer.open(sealed, context), context);
    const name = identifier(column.name);
    await prisma.$executeRaw`
      UPDATE ${identifier(column.table)} SET ${name} = ${anew}
      WHERE (${columnsOf(column)}) = (${valuesOf(column, key)}) AND ${name} = ${sealed}`;
    return true;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.debug({ table: column.table, column: column.name, key }, 'a stored secret cannot be opened');
    return false;
  }
}
