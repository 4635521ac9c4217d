import { isKind } from './errors.ts';

type Listener = () => void;

let listener: Listener = () => undefined;

/** Sets what happens when the server no longer accepts the session. */
export function onSessionExpired(next: Listener): void {
  listener = next;
}

/** To be told of every failed call; acts on "we do not know you" only. */
export function reportFailure(error: unknown): void {
  if (isKind(error, 'unauthenticated')) listener();
}
