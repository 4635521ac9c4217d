import { isKind } from './errors.ts';

type Listener = () => void;

let listener: Listener = () => undefined;

/** Sets what happens when the server no longer accepts the session. */
export function onSessionExpired(next: Listener): void {
  listener = next;
}

let replacements = 0;

/** To be called with the error of every failed call; acts on ended sessions only. */
export function reportFailure(error: unknown): void {
  if (replacements === 0 && isKind(error, 'unauthenticated')) listener();
}

/** Runs work that replaces the session. Calls of the old session that fail meanwhile do not lead to the sign-in page. */
export async function whileReplacingSession<T>(work: () => Promise<T>): Promise<T> {
  replacements += 1;
  try {
    return await work();
  } finally {
    replacements -= 1;
  }
}
