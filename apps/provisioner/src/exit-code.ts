import { DaemonRejected } from './daemon.ts';

/** What the process ends with; documented in docs/guides/provisioners.md. */
const EXIT = { failed: 1, rejected: 3 } as const;

/** A supervisor starts a daemon again after any failure but a rejection, which the next start would meet again. */
export function exitCodeOf(error: unknown): number {
  return error instanceof DaemonRejected ? EXIT.rejected : EXIT.failed;
}
