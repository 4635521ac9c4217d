import type { Tx } from '@berth/db';
import { createApiKey } from '../auth/sessions.ts';
import { authChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { holdUser } from '../users/index.ts';

const DAY_SECONDS = 24 * 3600;
/** Use extends it by this much, */
const LIFETIME_SECONDS = 7 * DAY_SECONDS;
/** and never past this: a workspace that runs longer gets a new one at its next start. */
const ABSOLUTE_SECONDS = 30 * DAY_SECONDS;

/** The workspace whose template acts as its owner, while it runs. */
export interface TokenHolder {
  readonly ownerId: string;
  readonly workspaceId: string;
}

const nameOf = ({ ownerId, workspaceId }: TokenHolder): string => `${ownerId}_${workspaceId}_session_token`;

/**
 * Makes the token with which the template of a workspace acts as its owner, in the place of the one before. Empty when the owner's
 * account is not active. Nothing but this answer ever shows it.
 */
export function remakeSessionToken(services: Services, holder: TokenHolder): Promise<string> {
  return services.prisma.$transaction(async (db) => {
    await holdUser(db, holder.ownerId);
    await endSessionToken(db, services, holder);
    const owner = await db.user.findUnique({ where: { id: holder.ownerId }, select: { deleted: true, status: true } });
    if (owner === null || owner.deleted || owner.status === 'suspended') return '';
    const { token } = await createApiKey(db, services.clock, {
      userId: holder.ownerId,
      loginType: 'token',
      tokenName: nameOf(holder),
      lifetimeSeconds: LIFETIME_SECONDS,
      absoluteSeconds: ABSOLUTE_SECONDS,
      ip: '',
    });
    return token;
  });
}

/** Ends that token, on every door and replica, when the transaction of `db` commits. */
export async function endSessionToken(db: Tx, services: Services, holder: TokenHolder): Promise<void> {
  const { count } = await db.apiKey.deleteMany({ where: { userId: holder.ownerId, loginType: 'token', tokenName: nameOf(holder) } });
  if (count > 0) await services.bus.publish(db, authChannel, { user_id: holder.ownerId });
}

/** The same for the workspace that a job started, or was to start; nothing for any other job. */
export async function endSessionTokenOfStart(db: Tx, services: Services, jobId: string): Promise<void> {
  const build = await db.workspaceBuild.findFirst({
    where: { jobId, transition: 'start' },
    select: { workspace: { select: { id: true, ownerId: true } } },
  });
  if (build !== null) await endSessionToken(db, services, { ownerId: build.workspace.ownerId, workspaceId: build.workspace.id });
}
