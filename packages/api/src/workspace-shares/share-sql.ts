import { Prisma } from '@berth/db';
import { instantSql } from '../kernel/wire-sql.ts';

/**
 * The shares `s` of living workspaces `w` that count at `now`. Each lets in as long as the person who made it is themself somebody there:
 * not suspended, and of the workspace's organization or an owner of the site.
 */
export function openSharesSql(now: Date): Prisma.Sql {
  return Prisma.sql`
    workspace_shares s
    JOIN workspaces w ON w.id = s.workspace_id AND NOT w.deleted AND w.dormant_at IS NULL
    JOIN users maker ON maker.id = s.created_by_id AND NOT maker.deleted AND maker.status <> 'suspended'
      AND ('owner' = ANY (maker.site_roles)
        OR EXISTS (SELECT FROM organization_members mm WHERE mm.user_id = maker.id AND mm.organization_id = w.organization_id))
    WHERE s.ended_at IS NULL AND s.expires_at > ${instantSql(now)}`;
}

/** Whether the share `s` of the workspace `w` is one with this user now: an active member of the organization, named or in the named group. */
export function isRecipientSql(userId: string): Prisma.Sql {
  return Prisma.sql`
    (s.user_id = ${userId}::uuid OR s.group_id = w.organization_id
      OR EXISTS (SELECT FROM group_members gm WHERE gm.group_id = s.group_id AND gm.user_id = ${userId}::uuid))
    AND w.owner_id <> ${userId}::uuid
    AND EXISTS (SELECT FROM organization_members m JOIN users u ON u.id = m.user_id
      WHERE m.user_id = ${userId}::uuid AND m.organization_id = w.organization_id AND NOT u.deleted AND u.status <> 'suspended')`;
}
