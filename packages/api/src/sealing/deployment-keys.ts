import type { Sealer } from '@berth/core/sealer';
import type { PrismaClient, Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { z } from 'zod';
import { SEALED_COLUMNS } from './columns.ts';

/** The keys that stored secrets may be sealed with, by their fingerprints: a site setting, the same for all replicas. */
const SETTING = 'sealing_keys';
const Fingerprints = z.array(z.string());

/** The server's sealing keys are not those of the deployment. The message tells the person who starts it what to do. */
export class SealingKeyError extends Error {
  override readonly name = 'SealingKeyError';
}

/**
 * Compares the server's sealing keys with those that the deployment uses, and adds the server's newest one to them. The first server
 * records its own, unless secrets are stored that it can open none of.
 *
 * @throws SealingKeyError when the deployment uses a key that the server does not have: it could not read what other servers store.
 */
export async function requireSealingKeys({ prisma, sealer }: { prisma: PrismaClient; sealer: Sealer }): Promise<void> {
  const newest = sealer.fingerprints.slice(0, 1);
  await prisma.$transaction(async (db) => {
    if ((await lockRecord(db)) === null) {
      if (await opensNoSecret(db, sealer)) throw new SealingKeyError(MISMATCH);
      // Another server may be starting, too: the first of them decides.
      await db.siteSetting.createMany({ data: [{ key: SETTING, value: JSON.stringify(newest) }], skipDuplicates: true });
    }
    const recorded = (await lockRecord(db)) ?? [];
    if (recorded.some((fingerprint) => !sealer.fingerprints.includes(fingerprint))) throw new SealingKeyError(MISMATCH);
    await record(db, [...new Set([...newest, ...recorded])]);
  });
}

/** Records that the server's newest key is in use and its older ones are not: after a pass that found nothing sealed with them. */
export async function forgetOlderKeys({ prisma, sealer }: { prisma: PrismaClient; sealer: Sealer }): Promise<void> {
  await prisma.$transaction(async (db) => {
    const recorded = (await lockRecord(db)) ?? [];
    // A key that this server does not have is in use at another server: not for this one to decide.
    const others = recorded.filter((fingerprint) => !sealer.fingerprints.includes(fingerprint));
    await record(db, [...sealer.fingerprints.slice(0, 1), ...others]);
  });
}

const MISMATCH =
  'The sealing keys of this server are not those of the deployment: the database uses a key that this server does not have. ' +
  'Set BERTH_SEALING_KEYS to the same value on every server: the one that the other servers have, or the content of the file sealing-keys ' +
  'in the data folder of the server that was there first. docs/guides/replicas.md explains it, and what to do when a key is lost.';

const KeyIds = z.array(z.object({ id: z.instanceof(Uint8Array) }));

/** Whether secrets are stored and the sealer has the key of none of them. The first bytes of each name its key. */
async function opensNoSecret(db: Tx, sealer: Sealer): Promise<boolean> {
  let found = 0;
  for (const [table, { columns }] of Object.entries(SEALED_COLUMNS)) {
    for (const name of columns) {
      const column = Prisma.raw(`"${name}"`);
      const keyIds = KeyIds.parse(
        await db.$queryRaw`
          SELECT DISTINCT substring(${column} FROM 1 FOR ${sealer.keyId.length}) AS id FROM ${Prisma.raw(`"${table}"`)}
          WHERE ${column} IS NOT NULL`,
      );
      if (keyIds.some(({ id }) => sealer.isKnown(id))) return false;
      found += keyIds.length;
    }
  }
  return found > 0;
}

/** The record, locked until the transaction ends; null when no server has written it yet. */
async function lockRecord(db: Tx): Promise<readonly string[] | null> {
  const [row] = await db.$queryRaw<{ value: string }[]>`SELECT value FROM site_settings WHERE key = ${SETTING} FOR UPDATE`;
  return row === undefined ? null : Fingerprints.parse(JSON.parse(row.value));
}

async function record(db: Tx, fingerprints: readonly string[]): Promise<void> {
  await db.siteSetting.updateMany({ where: { key: SETTING }, data: { value: JSON.stringify(fingerprints) } });
}
