import type { Workspace } from '@berth/api/contract/workspaces';
import { createSocketClient } from '@berth/client';
import type { Client } from '@berth/client';
import { WebSocket } from 'ws';

import type { Session } from '../frame/connect.ts';

/** One connection for everything that is followed while a command waits. */
export interface News {
  readonly client: Client;
  close(): Promise<void>;
}

export function openNews({ url, token }: Session): News {
  return createSocketClient({ url, headers: { 'service-session-token': token }, WebSocket });
}

interface Subscription<T> {
  subscribe(handlers: { onData(data: T): void; onError(error: unknown): void; onComplete(): void }): { unsubscribe(): void };
}

/** A subscription as an async iterator: everything in order, or only the latest for a consumer that is slow. Ends quietly at `signal`. */
async function* followed<T>(
  { subscribe }: Subscription<T>,
  { signal, onlyLatest = false }: { readonly signal: AbortSignal; readonly onlyLatest?: boolean },
): AsyncGenerator<T, void, void> {
  const waiting: T[] = [];
  let isOver = false;
  let failure: Error | undefined;
  let wake = (): void => undefined;
  const end = (error?: unknown): void => {
    isOver = true;
    if (error !== undefined) failure = error instanceof Error ? error : new Error('The event stream ended.', { cause: error });
    wake();
  };
  const onAbort = (): void => end();
  signal.addEventListener('abort', onAbort, { once: true });
  const subscription = subscribe({
    onData: (data) => {
      if (onlyLatest) waiting.length = 0;
      waiting.push(data);
      wake();
    },
    onError: end,
    onComplete: () => end(),
  });
  try {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (isOver) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    if (failure !== undefined && !signal.aborted) throw failure;
  } finally {
    signal.removeEventListener('abort', onAbort);
    subscription.unsubscribe();
  }
}

/** The workspace now and after each change of it. */
export function watchWorkspace({ client }: News, workspace: string, signal: AbortSignal): AsyncGenerator<Workspace, void, void> {
  return followed<Workspace>(
    { subscribe: (handlers) => client.workspaces.watch.subscribe({ workspace }, handlers) },
    { signal, onlyLatest: true },
  );
}
