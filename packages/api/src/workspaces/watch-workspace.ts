import { notFound, unauthenticated } from '@berth/core';
import { Prisma } from '@berth/db';
import { canUnchecked, workspaceObject } from '@berth/rbac';
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

/**
 * The workspace at once and again after each change of it, a deleted one too. Authorises before it answers the generator, which fails
 * when the caller loses the right to read, and ends when `signal` is aborted. Slow consumers get the latest state, not every one.
 */
export async function watchWorkspace(
  call: UserCall,
  { workspace: id, signal }: z.output<typeof WorkspacePath> & { readonly signal: AbortSignal },
): Promise<AsyncGenerator<Workspace, void, void>> {
  const first = await read(call, id);
  if (first === undefined) throw notFound();
  call.authorize.require(workspaceObject(first));
  return changesOf(call, id, signal);
}

async function* changesOf(call: UserCall, id: string, signal: AbortSignal): AsyncGenerator<Workspace, void, void> {
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
    let shown = '';
    while (!signal.aborted) {
      const { subject } = await currentUser(call);
      const row = await read(call, id);
      if (row === undefined || !canUnchecked(subject, 'read', workspaceObject(row))) throw notFound();
      const workspace = presentText(row.text, clock.now());
      const text = JSON.stringify(workspace);
      if (text !== shown) yield workspace;
      shown = text;
      await wakeup.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}

async function read(call: UserCall, id: string): Promise<WorkspaceRow | undefined> {
  return selectWorkspace({ ...call, db: call.services.prisma }, Prisma.sql`w.id = ${id}::uuid`);
}
