import type { LogTarget } from './log-target.ts';

/** Where a log has addresses of its own for its lines. */
export interface LogPlace {
  /** What the address of the page names; null for the log as a whole. */
  readonly target: LogTarget | null;
  /** The address of a line, without the server's. */
  readonly hrefOf: (number: number) => string;
  /** Puts a line into the page's address, where the log is what the page is about. */
  readonly onPick?: (number: number) => void;
}
