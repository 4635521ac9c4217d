import { useSyncExternalStore } from 'react';

const TICK_MS = 10_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present in milliseconds, in steps of ten seconds; one timer for all who ask. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    // With nobody listening the clock stands still, so the first one to ask sets it right.
    if (listeners.size === 0 && Date.now() - now > TICK_MS) now = Date.now();
    return now;
  });
}
