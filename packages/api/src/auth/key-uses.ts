import type { PrismaClient } from '@berth/db';
import { Prisma } from '@berth/db';

/** The last use of a key. */
export interface KeyUse {
  readonly keyId: string;
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly ip: string;
}

/** What one server keeps until it is written. Further keys are dropped; their next use after the write is noted again. */
const PENDING_MAX = 10_000;
/** Keys written by one transaction. */
const BATCH = 500;

/** Keeps the last use of each key in memory, so that a request writes nothing: `flush` writes what many requests noted. */
export class KeyUses {
  #pending = new Map<string, KeyUse>();

  note(use: KeyUse): void {
    if (this.#pending.has(use.keyId) || this.#pending.size < PENDING_MAX) this.#pending.set(use.keyId, use);
  }

  /** Writes what was noted since the last call, in batches. What cannot be written stays noted. Answers how many keys it wrote. */
  async flush(prisma: PrismaClient): Promise<number> {
    let written = 0;
    for (;;) {
      const uses = [...this.#pending.values()].slice(0, BATCH);
      if (uses.length === 0) return written;
      for (const { keyId } of uses) this.#pending.delete(keyId);
      try {
        await writeUses(prisma, uses);
      } catch (error) {
        for (const use of uses) if (!this.#pending.has(use.keyId)) this.note(use);
        throw error;
      }
      written += uses.length;
    }
  }
}

/**
 * Writes when and from where keys were used, their sliding expiry (never past the absolute end), and when their users were last seen. Use
 * of a key for apps is use of the session that it was made from. Skips rows that another transaction has locked: their next use counts.
 */
async function writeUses(prisma: PrismaClient, uses: readonly KeyUse[]): Promise<void> {
  const used = Prisma.sql`(SELECT * FROM unnest(${uses.map(({ keyId }) => keyId)}::text[], ${uses.map(({ userId }) => userId)}::uuid[],
    ${uses.map(({ at }) => new Date(at).toISOString())}::timestamptz[], ${uses.map(({ ip }) => ip)}::text[]) AS used (key_id, user_id, at, ip))`;
  await prisma.$transaction(async (db) => {
    // Users before their keys, and a session before the keys made from it, as everything does that ends keys.
    await db.$executeRaw(Prisma.sql`
      WITH seen AS (SELECT user_id, max(at) AS at FROM ${used} used GROUP BY user_id),
        free AS (SELECT id FROM users WHERE id IN (SELECT user_id FROM seen) ORDER BY id FOR UPDATE SKIP LOCKED)
      UPDATE users u SET last_seen_at = greatest(u.last_seen_at, seen.at) FROM seen JOIN free ON free.id = seen.user_id WHERE u.id = free.id`);
    await db.$executeRaw(Prisma.sql`
      WITH last AS (
        SELECT DISTINCT ON (id) id, at, ip FROM (
          SELECT key_id AS id, at, ip FROM ${used} used
          UNION ALL SELECT k.parent_id, used.at, used.ip FROM ${used} used JOIN api_keys k ON k.id = used.key_id WHERE k.parent_id IS NOT NULL
        ) each_key ORDER BY id, at DESC
      ), free AS (
        SELECT id FROM api_keys WHERE id IN (SELECT id FROM last) ORDER BY parent_id NULLS FIRST, id FOR UPDATE SKIP LOCKED)
      UPDATE api_keys k SET last_used_at = last.at, last_used_ip = last.ip, updated_at = last.at,
        expires_at = greatest(k.expires_at, least(last.at + k.lifetime_seconds * interval '1 second', k.absolute_expires_at))
      FROM last JOIN free USING (id) WHERE k.id = free.id AND (k.last_used_at IS NULL OR k.last_used_at < last.at)`);
  });
}
