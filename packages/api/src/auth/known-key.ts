import type { PrismaClient } from '@berth/db';
import { API_KEY_SCOPES, USER_STATUSES } from '@berth/domain';
import type { UserStatus } from '@berth/domain';
import type { Subject } from '@berth/rbac';
import { z } from 'zod';

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
  lifetime_seconds: z.coerce.number(),
  expires_at: z.date(),
  absolute_expires_at: z.date(),
  last_used_at: z.date().nullable(),
  user_id: z.string(),
  username: z.string(),
  status: z.enum(USER_STATUSES),
  site_roles: z.array(z.string()),
  organizations: z.record(z.string(), z.array(z.string())),
  groups: z.array(z.string()),
});

/**
 * Reads a key together with its live user: a deleted or suspended user has no valid key, on any door.
 * One statement, by primary keys.
 */
export async function loadKey(prisma: PrismaClient, id: string): Promise<KnownKey | null> {
  const rows = await prisma.$queryRaw`
    SELECT k.id, k.hashed_secret, k.scope, k.lifetime_seconds, k.expires_at, k.absolute_expires_at, k.last_used_at,
           u.id::text AS user_id, u.username, u.status, u.site_roles,
           (SELECT coalesce(json_object_agg(m.organization_id, m.roles), '{}') FROM organization_members m WHERE m.user_id = u.id) AS organizations,
           ARRAY(SELECT g.group_id::text FROM group_members g WHERE g.user_id = u.id) AS groups
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
    subject: {
      id: row.user_id,
      roles: row.site_roles,
      organizations: new Map(Object.entries(row.organizations)),
      groups: row.groups,
      scope: row.scope,
    },
  };
}

/**
 * Writes that a key was used: last use and address, the sliding expiry (never past the absolute end), and the user's last visit;
 * a dormant user becomes active.
 */
export async function touchKey(prisma: PrismaClient, key: KnownKey, { now, ip }: { now: number; ip: string }): Promise<void> {
  const expiresAt = new Date(Math.max(key.expiresAt, Math.min(now + key.lifetimeSeconds * 1000, key.absoluteExpiresAt)));
  const at = new Date(now);
  await prisma.$transaction([
    prisma.apiKey.updateMany({ where: { id: key.id }, data: { lastUsedAt: at, lastUsedIp: ip, expiresAt } }),
    prisma.user.updateMany({ where: { id: key.userId, status: 'dormant' }, data: { status: 'active' } }),
    prisma.$executeRaw`UPDATE users SET last_seen_at = greatest(last_seen_at, ${at}) WHERE id = ${key.userId}::uuid`,
  ]);
}
