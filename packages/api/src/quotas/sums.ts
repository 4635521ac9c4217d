import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';

/** Whose quota: what one user may spend in one organization. */
export interface QuotaHolder {
  readonly ownerId: string;
  readonly organizationId: string;
}

/** The groups `g` of an organization that a user is in; everyone's has no rows of its own. */
export function groupsOfSql({ ownerId, organizationId }: QuotaHolder): Prisma.Sql {
  return Prisma.sql`g.organization_id = ${organizationId}::uuid AND (
    (g.id = g.organization_id
      AND EXISTS (SELECT 1 FROM organization_members m WHERE m.organization_id = g.id AND m.user_id = ${ownerId}::uuid))
    OR EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = g.id AND m.user_id = ${ownerId}::uuid))`;
}

/** The living workspaces `w` that a quota is about. */
export function workspacesOfSql({ ownerId, organizationId }: QuotaHolder): Prisma.Sql {
  return Prisma.sql`w.owner_id = ${ownerId}::uuid AND w.organization_id = ${organizationId}::uuid AND NOT w.deleted`;
}

export interface QuotaSums {
  readonly consumed: number;
  readonly allowance: number;
}

/**
 * What a user's living workspaces cost per day by their latest builds, and what they may cost. `except` leaves one workspace out: the
 * one that is being built. This is the only place where the two sums are made.
 */
export async function readQuota(db: Tx, holder: QuotaHolder, { except }: { except?: string } = {}): Promise<QuotaSums> {
  const others = except === undefined ? Prisma.empty : Prisma.sql`AND w.id <> ${except}::uuid`;
  const [row] = await db.$queryRaw<{ consumed: bigint; allowance: bigint }[]>(Prisma.sql`
    SELECT
      (SELECT coalesce(sum(b.daily_cost), 0)::bigint FROM workspaces w JOIN workspace_builds b ON b.id = w.latest_build_id
        WHERE ${workspacesOfSql(holder)} ${others}) AS consumed,
      (SELECT coalesce(sum(g.quota_allowance), 0)::bigint FROM groups g WHERE ${groupsOfSql(holder)}) AS allowance`);
  if (row === undefined) throw new Error('a sum has no row');
  return { consumed: Number(row.consumed), allowance: Number(row.allowance) };
}

/**
 * Holds a quota until the transaction ends: of two builds that are judged at once, the second one sees what the first one costs.
 */
export async function holdQuota(db: Tx, { ownerId, organizationId }: QuotaHolder): Promise<void> {
  await db.$queryRaw(Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${`quota:${organizationId}:${ownerId}`}, 0))::text`);
}
