import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { ShareAccess } from '@berth/domain';
import type { Subject } from '@berth/rbac';
import { scopeCan } from '@berth/rbac';
import { authChannel, workspaceSharesChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import type { ShareTerms } from '../kernel/while-permitted.ts';
import { isRecipientSql, openSharesSql } from './share-sql.ts';

/** What somebody would open by a share. */
export type ShareDoor = { readonly workspaceId: string; readonly agentName: string } & (
  | { readonly access: 'apps'; readonly appSlug: string }
  | { readonly access: 'terminal' }
  | { readonly access: 'terminal_view'; readonly terminalId: string }
);

/** A share that lets somebody in now. */
export interface OpenShare {
  readonly id: string;
  readonly workspaceId: string;
  readonly access: ShareAccess;
  readonly createdById: string;
  readonly expiresAt: Date;
}

/** The action on a workspace that a share of this access stands in for: who shares must have it, and so must the recipient's credential. */
export const ACTION_OF_ACCESS = {
  apps: 'application_connect',
  terminal: 'ssh',
  terminal_view: 'ssh',
} as const satisfies Record<ShareAccess, 'application_connect' | 'ssh'>;

/**
 * The share that lets this user through a door now, the one with the latest end; null when there is none, and for a credential whose
 * scope does not reach so far. A terminal's share opens every terminal, so it also lets look on at one. One statement. Asks nothing about
 * what the user may do by their own right.
 */
export async function shareFor(services: Services, subject: Subject, door: ShareDoor): Promise<OpenShare | null> {
  if (!scopeReaches(subject, door)) return null;
  return findShare(services.prisma, { userId: subject.id, door, at: services.clock.now() });
}

/** Whether the credential in use could do this on a workspace of its owner: a key for apps opens no terminals, one for reading opens nothing. */
function scopeReaches(subject: Subject, { workspaceId, access }: ShareDoor): boolean {
  return scopeCan(subject, ACTION_OF_ACCESS[access], { type: 'workspace', id: workspaceId });
}

interface Question {
  readonly userId: string;
  readonly door: ShareDoor;
  readonly at: Date;
}

async function findShare(db: Tx, { userId, door, at }: Question): Promise<OpenShare | null> {
  const [share] = await db.$queryRaw<OpenShare[]>(Prisma.sql`
    SELECT s.id, s.workspace_id AS "workspaceId", s.access, s.created_by_id AS "createdById", s.expires_at AS "expiresAt"
    FROM ${openSharesSql(at)} AND s.workspace_id = ${door.workspaceId}::uuid
      AND s.agent_name IN ('', ${door.agentName.toLowerCase()}) AND ${opensSql(door)} AND ${isRecipientSql(userId)}
    ORDER BY s.expires_at DESC, s.id LIMIT 1`);
  return share ?? null;
}

function opensSql(door: ShareDoor): Prisma.Sql {
  switch (door.access) {
    case 'apps':
      return Prisma.sql`s.access = 'apps' AND s.app_slug IN ('', ${door.appSlug.toLowerCase()})`;
    case 'terminal':
      return Prisma.sql`s.access = 'terminal'`;
    case 'terminal_view':
      return Prisma.sql`(s.access = 'terminal' OR (s.access = 'terminal_view' AND s.terminal_id = ${door.terminalId}::uuid))`;
  }
}

/**
 * What a stream that was let in by a share depends on, for `whilePermitted`: it ends when no share lets this user through the door any
 * more, at the very moment when the last one runs out.
 */
export function termsOf(services: Services, share: OpenShare, door: ShareDoor): ShareTerms {
  return {
    until: share.expiresAt,
    subscribe(ask) {
      const off = [
        services.bus.subscribe(workspaceSharesChannel, (news) => {
          if (news.workspace_id === share.workspaceId) ask();
        }),
        services.bus.subscribe(authChannel, (news) => {
          if (news.user_id === share.createdById) ask();
        }),
      ];
      return () => off.forEach((unsubscribe) => unsubscribe());
    },
    async read(subject, at) {
      if (!scopeReaches(subject, door)) return null;
      const now = await findShare(services.prisma, { userId: subject.id, door, at });
      return now?.expiresAt ?? null;
    },
  };
}
