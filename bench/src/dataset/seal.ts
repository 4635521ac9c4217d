import { sealAuditRows } from '@berth/api/server';
import { openDatabase } from '@berth/db';

const BATCH_ROWS = 20_000;

/** Seals every waiting audit row into the hash chain, and counts it, with the product's own sealer. Answers how many there were. */
export async function sealEverything(url: string, log: (message: string) => void): Promise<number> {
  const database = openDatabase({ url, poolSize: 2 });
  try {
    let sealed = 0;
    for (;;) {
      const batch = await sealAuditRows(database, { limit: BATCH_ROWS });
      sealed += batch.sealed;
      if (!batch.isFull) return sealed;
      if (sealed % 200_000 === 0) {
        // What was sealed leaves dead rows at the head of the queue, which each next batch would step over.
        await database.pool.query('VACUUM audit_pending');
        log(`${sealed} audit rows sealed`);
      }
    }
  } finally {
    await database.close();
  }
}
