import { DomainError } from '@berth/core';
import { Prisma } from '@berth/db';
import { listScope } from '@berth/rbac';
import { authChannel, workspaceChannel } from '../kernel/channels.ts';
import type { UserPrincipal } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import type { WorkspaceChange } from './contract.ts';
import type { WorkspaceScopes } from './visible.ts';
import { mayReachOwner, visibleSql } from './visible.ts';
import { currentUser } from './watch-workspace.ts';
import type { RawWorkspace } from './workspace-presenter.ts';
import { presentWorkspace } from './workspace-presenter.ts';
import { WORKSPACE_JOINS, workspaceJson } from './workspace-sql.ts';

/** News of one batch at most; more wait for the next. */
const BATCH_MAX = 50;
/** How long a quiet stream waits before it looks whether its caller may still listen. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Each workspace that changes and that the caller may read, as it is then; null in its place when it was deleted. Says nothing at
 * first: the caller lists before or after it subscribed. Fails with `unavailable` when news may have been missed, so that the caller
 * lists and subscribes anew.
 */
export function watchList(call: UserCall, signal: AbortSignal): AsyncGenerator<WorkspaceChange, void, void> {
  // Which rows count is asked anew for each batch; this answers for the procedure.
  call.authorize.scope();
  return changes(call, signal);
}

async function* changes(call: UserCall, signal: AbortSignal): AsyncGenerator<WorkspaceChange, void, void> {
  const { bus } = call.services;
  const wakeup = new Wakeup();
  const owners = new Map<string, string>();
  let isComplete = true;
  const subscriptions = [
    bus.subscribe(workspaceChannel, (news) => {
      owners.set(news.workspace_id, news.owner_id);
      wakeup.ring();
    }),
    // Also a quiet stream ends at once with the rights of its caller.
    bus.subscribe(authChannel, (news) => {
      if (news.user_id === call.principal.userId) wakeup.ring();
    }),
    bus.onReconnect(() => {
      isComplete = false;
      wakeup.ring();
    }),
  ];
  try {
    while (!signal.aborted) {
      if (owners.size === 0) await wakeup.wait(LOOK_AGAIN_MS, signal);
      if (signal.aborted) return;
      if (!isComplete) throw new DomainError('unavailable', 'Some news may have been missed. List the workspaces again.');
      const user = await currentUser(call);
      const scopes = scopesOf(user);
      const batch = [...owners].slice(0, BATCH_MAX);
      for (const [id] of batch) owners.delete(id);
      const ids = batch.filter(([, ownerId]) => mayReachOwner(scopes, ownerId)).map(([id]) => id);
      if (ids.length > 0) yield* await readChanges(call, scopes, ids);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}

function scopesOf({ subject }: UserPrincipal): WorkspaceScopes {
  return { awake: listScope(subject, 'workspace:read'), dormant: listScope(subject, 'workspace_dormant:read') };
}

interface ChangeRow {
  readonly id: string;
  readonly deleted: boolean;
  readonly text: string;
}

async function readChanges(call: UserCall, scopes: WorkspaceScopes, ids: readonly string[]): Promise<WorkspaceChange[]> {
  const { prisma, settings, clock } = call.services;
  const json = workspaceJson({ callerId: call.principal.userId, allowRenames: settings.allowWorkspaceRenames });
  const rows = await prisma.$queryRaw<ChangeRow[]>(Prisma.sql`
    SELECT w.id, w.deleted, (${json})::text AS text
    FROM workspaces w ${WORKSPACE_JOINS}
    WHERE w.id = ANY(${[...ids]}::uuid[]) AND ${visibleSql(scopes)}`);
  const now = clock.now();
  return rows.map(({ id, deleted, text }) => ({ id, workspace: deleted ? null : presentWorkspace(JSON.parse(text) as RawWorkspace, now) }));
}
