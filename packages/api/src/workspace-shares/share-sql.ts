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

/**
 * Whether the share `s` of the workspace `w` is one with this user now: an active member of the organization, named or in the named group.
 * Everyone has the organization’s id and no members of its own. What the user belongs to is read once, so that the shares are found by indexes.
 */
export function isRecipientSql(userId: string): Prisma.Sql {
  const user = Prisma.sql`${userId}::uuid`;
  return Prisma.sql`
    (s.user_id = ${user} OR s.group_id = ANY (ARRAY(
      SELECT gm.group_id FROM group_members gm WHERE gm.user_id = ${user}
      UNION ALL SELECT em.organization_id FROM organization_members em WHERE em.user_id = ${user})))
    AND w.owner_id <> ${user}
    AND EXISTS (SELECT FROM organization_members m JOIN users u ON u.id = m.user_id
      WHERE m.user_id = ${user} AND m.organization_id = w.organization_id AND NOT u.deleted AND u.status <> 'suspended')`;
}
