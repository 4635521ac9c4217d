import type { Prisma } from '@berth/db';
import type { ShareAccess } from '@berth/domain';
import type { SHARE_STATUSES, WorkspaceShare } from './contract.ts';

export const shareSelect = {
  id: true,
  workspaceId: true,
  access: true,
  agentName: true,
  appSlug: true,
  terminalId: true,
  createdAt: true,
  expiresAt: true,
  endedAt: true,
  lastUsedAt: true,
  user: { select: { id: true, username: true, name: true, avatarUrl: true } },
  group: { select: { id: true, name: true, displayName: true, avatarUrl: true } },
  createdBy: { select: { id: true, username: true, avatarUrl: true } },
} as const satisfies Prisma.WorkspaceShareSelect;
export type ShareRow = Prisma.WorkspaceShareGetPayload<{ select: typeof shareSelect }>;

/** A share as it is at `now`: one that ran out is over, whether or not anybody has noted it yet. */
export function presentShare(row: ShareRow, now: Date): WorkspaceShare {
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    // The column carries a check constraint with these very values.
    access: row.access as ShareAccess,
    agent_name: row.agentName,
    app_slug: row.appSlug,
    terminal_id: row.terminalId,
    recipient: presentRecipient(row),
    status: statusOf(row, now),
    created_by: { id: row.createdBy.id, username: row.createdBy.username, avatar_url: row.createdBy.avatarUrl },
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}

export function presentRecipient({ user, group }: Pick<ShareRow, 'user' | 'group'>): WorkspaceShare['recipient'] {
  if (user !== null) {
    const { id, username, name, avatarUrl } = user;
    return { type: 'user', id, name: username, display_name: name, avatar_url: avatarUrl };
  }
  if (group === null) throw new Error('a share without a recipient');
  const { id, name, displayName, avatarUrl } = group;
  return { type: 'group', id, name, display_name: displayName, avatar_url: avatarUrl };
}

export function statusOf({ endedAt, expiresAt }: Pick<ShareRow, 'endedAt' | 'expiresAt'>, now: Date): (typeof SHARE_STATUSES)[number] {
  if (endedAt !== null && endedAt < expiresAt) return 'ended';
  return endedAt !== null || expiresAt <= now ? 'expired' : 'active';
}
