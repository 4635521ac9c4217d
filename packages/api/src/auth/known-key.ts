import type { PrismaClient, Tx } from '@berth/db';
import { API_KEY_SCOPES, USER_STATUSES } from '@berth/domain';
import type { UserStatus } from '@berth/domain';
import type { Subject } from '@berth/rbac';
import { z } from 'zod';
import { instantSql } from '../kernel/wire-sql.ts';
import { recordDormancy } from './record-dormancy.ts';
import { SUBJECT_COLUMNS, scopeOfKey, subjectOf, subjectRow } from './subject-row.ts';

/** A key with all that decides what it may do, as read in one statement. Instants are milliseconds since the epoch. */
export interface KnownKey {
  readonly id: string;
  readonly hashedSecret: Uint8Array;
  readonly userId: string;
  readonly username: string;
  readonly status: UserStatus;
  readonly lifetimeSeconds: number;
  readonly expiresAt: number;
  readonly absoluteExpiresAt: number;
  /** When use of the key was last written down. */
  readonly lastWrittenAt: number;
  readonly subject: Subject;
}

const Row = z.object({
  id: z.string(),
  hashed_secret: z.instanceof(Uint8Array),
  scope: z.enum(API_KEY_SCOPES),
  permissions: z.array(z.string()),
  lifetime_seconds: z.coerce.number(),
  expires_at: z.date(),
  absolute_expires_at: z.date(),
  last_used_at: z.date().nullable(),
  status: z.enum(USER_STATUSES),
  ...subjectRow,
});

/**
 * Reads a key together with its live user: a deleted or suspended user has no valid key, on any door.
 * One statement, by primary keys.
 */
export async function loadKey(prisma: PrismaClient, id: string): Promise<KnownKey | null> {
  const rows = await prisma.$queryRaw`
    SELECT k.id, k.hashed_secret, k.scope, k.permissions, k.lifetime_seconds, k.expires_at, k.absolute_expires_at, k.last_used_at,
           ${SUBJECT_COLUMNS}
    FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.id = ${id} AND NOT u.deleted AND u.status <> 'suspended'`;
  const row = z.array(Row).parse(rows)[0];
  if (row === undefined) return null;
  return {
    id: row.id,
    hashedSecret: row.hashed_secret,
    userId: row.user_id,
    username: row.username,
    status: row.status,
    lifetimeSeconds: row.lifetime_seconds,
    expiresAt: row.expires_at.getTime(),
    absoluteExpiresAt: row.absolute_expires_at.getTime(),
    lastWrittenAt: row.last_used_at?.getTime() ?? 0,
    subject: subjectOf(row, scopeOfKey(row.scope, row.permissions)),
  };
}

/**
 * Writes that a key was used: last use and address, the sliding expiry (never past the absolute end), and the user's last visit;
 * a dormant user becomes active, which is recorded. Use of a key for apps is use of the session that it was made from.
 */
export async function touchKey(prisma: PrismaClient, key: KnownKey, { now, ip }: { now: number; ip: string }): Promise<void> {
  const at = new Date(now);
  await prisma.$transaction(async (db) => {
    // The user before the key, as everything does that ends keys: two orders would be a deadlock.
    await db.$executeRaw`UPDATE users SET last_seen_at = greatest(last_seen_at, ${at}) WHERE id = ${key.userId}::uuid`;
    if (key.status === 'dormant') await wake(db, key, at);
    // The session before its keys, as its end takes them along.
    await db.$executeRaw`
      UPDATE api_keys SET last_used_at = ${at}, last_used_ip = ${ip}, updated_at = ${at},
        expires_at = greatest(expires_at, least(${instantSql(at)} + lifetime_seconds * interval '1 second', absolute_expires_at))
      WHERE id IN (
        SELECT k.id FROM api_keys k WHERE k.id = ${key.id} OR k.id = (SELECT parent_id FROM api_keys WHERE id = ${key.id})
        ORDER BY k.parent_id NULLS FIRST FOR UPDATE)`;
  });
}

async function wake(db: Tx, key: KnownKey, at: Date): Promise<void> {
  const { count } = await db.user.updateMany({
    where: { id: key.userId, status: 'dormant', deleted: false },
    data: { status: 'active', updatedAt: at },
  });
  if (count === 1) await recordDormancy(db, { id: key.userId, username: key.username }, { before: 'dormant', after: 'active' });
}
