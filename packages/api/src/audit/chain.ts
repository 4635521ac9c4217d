import { createHash } from 'node:crypto';
import { Prisma } from '@berth/db';
import { z } from 'zod';
import { isoSql } from '../kernel/wire-sql.ts';
import type { CountedRow } from './counts.ts';

export const HASH_BYTES = 32;
/** The hash before the first link. */
export const CHAIN_START = Buffer.alloc(HASH_BYTES);

/**
 * Every column of `audit_logs a` as one text, the same for the same row whenever it is read. Sealing and verifying both hash this, so a
 * change here would break every chain that exists: a new column needs a new form of link, not a new text.
 */
export const CANONICAL_ROW = Prisma.sql`json_build_array(
  a.id, ${isoSql(Prisma.sql`a.time`)}, a.organization_id, a.user_id, a.ip, a.user_agent, a.request_id,
  a.resource_type, a.resource_id, a.resource_target, a.resource_icon, a.action, a.diff, a.status_code, a.additional_fields, a.build_reason
)::text`;

const CanonicalRow = z.tuple([
  z.string(),
  z.string(),
  z.string().nullable(),
  z.string().nullable(),
  z.unknown(),
  z.unknown(),
  z.unknown(),
  z.string(),
  z.unknown(),
  z.unknown(),
  z.unknown(),
  z.string(),
  z.unknown(),
  z.unknown(),
  z.unknown(),
  z.string().nullable(),
]);

/** What the sums need to know of a row, read back from its canonical text. */
export function countedRow(canonicalRow: string): CountedRow {
  const row = CanonicalRow.parse(JSON.parse(canonicalRow));
  return { day: row[1].slice(0, 10), organizationId: row[2], userId: row[3], resourceType: row[7], action: row[11], buildReason: row[15] };
}

/** SHA-256 of the link before and the row. A row that was gone before it could be sealed counts as the empty text. */
export function nextHash(previous: Uint8Array, canonicalRow: string | null): Buffer {
  return createHash('sha256')
    .update(previous)
    .update(canonicalRow ?? '', 'utf8')
    .digest();
}
