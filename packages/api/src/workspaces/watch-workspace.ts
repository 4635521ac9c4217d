import { createHash } from 'node:crypto';
import { notFound, unauthenticated } from '@berth/core';
import { Prisma } from '@berth/db';
import { can, workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import { authChannel, workspaceChannel } from '../kernel/channels.ts';
import type { UserPrincipal } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import type { Workspace, WorkspacePath } from './contract.ts';
import type { WorkspaceRow } from './read-workspace.ts';
import { presentText, selectWorkspace } from './read-workspace.ts';

/** Silence is a change too: an agent that falls silent makes no news. Also covers news that was lost. */
const LOOK_AGAIN_MS = 10_000;

/** The caller as they are now. @throws unauthenticated once their credential has ended. */
export async function currentUser(call: UserCall): Promise<UserPrincipal> {
  const principal = await call.authenticate();
  if (principal.kind !== 'user') throw unauthenticated();
  return principal;
}

interface WatchWorkspace extends z.output<typeof WorkspacePath> {
  /** The state that the caller has, by `workspaceStateId`: it is not said again. */
  readonly seen?: string | undefined;
  readonly signal: AbortSignal;
}

/** Names a state of a workspace: equal states have equal names. */
export function workspaceStateId(workspace: Workspace): string {
  return createHash('sha256').update(JSON.stringify(workspace)).digest('base64url').slice(0, 22);
}

/**
 * The workspace at once and again after each change of it, a deleted one too. Authorises before it answers the generator, which fails
 * when the caller loses the right to read, and ends when `signal` is aborted. Slow consumers get the latest state, not every one.
 */
export async function watchWorkspace(call: UserCall, options: WatchWorkspace): Promise<AsyncGenerator<Workspace, void, void>> {
  const first = await read(call, options.workspace);
  if (first === undefined) throw notFound();
  call.authorize.require(workspaceObject(first));
  return changesOf(call, options);
}

async function* changesOf(call: UserCall, { workspace: id, seen, signal }: WatchWorkspace): AsyncGenerator<Workspace, void, void> {
  const { bus, clock } = call.services;
  const wakeup = new Wakeup();
  const subscriptions = [
    bus.subscribe(workspaceChannel, (news) => {
      if (news.workspace_id === id) wakeup.ring();
    }),
    bus.subscribe(authChannel, (news) => {
      if (news.user_id === call.principal.userId) wakeup.ring();
    }),
    bus.onReconnect(() => wakeup.ring()),
  ];
  try {
    let shown = seen;
    while (!signal.aborted) {
      const { subject } = await currentUser(call);
      const row = await read(call, id);
      if (row === undefined || !can(subject, 'read', workspaceObject(row))) throw notFound();
      const workspace = presentText(row.text, clock.now());
      const state = workspaceStateId(workspace);
      if (state !== shown) yield workspace;
      shown = state;
      await wakeup.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}

async function read(call: UserCall, id: string): Promise<WorkspaceRow | undefined> {
  return selectWorkspace({ ...call, db: call.services.prisma }, Prisma.sql`w.id = ${id}::uuid`);
}
