import { useSyncExternalStore } from 'react';
import { reachability } from './reachability.ts';
import { socket } from './trpc.ts';

function subscribe(listener: () => void): () => void {
  const subscription = socket.connectionState.subscribe({ next: listener });
  return () => subscription.unsubscribe();
}

/** Whether live updates are interrupted: the connection broke, or could not be made, and is being retried. */
export function useIsInterrupted(): boolean {
  return useSyncExternalStore(subscribe, () => {
    const state = socket.connectionState.get();
    return state.state === 'connecting' && state.error !== null;
  });
}

const subscribeToReachability = (listener: () => void): (() => void) => reachability.subscribe(listener);

/** Whether something on the page waits for a server that does not answer. */
export function useIsUnreachable(): boolean {
  return useSyncExternalStore(subscribeToReachability, () => reachability.isUnreachable);
}
