import { useSyncExternalStore } from 'react';
import { socket } from './trpc.ts';

function subscribe(listener: () => void): () => void {
  const subscription = socket.connectionState.subscribe({ next: listener });
  return () => subscription.unsubscribe();
}

/** Whether live updates are interrupted: the connection broke, or could not be made, and is dialled again. */
export function useIsInterrupted(): boolean {
  return useSyncExternalStore(subscribe, () => {
    const state = socket.connectionState.get();
    return state.state === 'connecting' && state.error !== null;
  });
}
