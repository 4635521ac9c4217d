/** Slow growth: whoever dials is back within about a third of the time for which the peer was away. */
const GROWTH = 1.3;

export interface BackoffOptions {
  /** The first wait, in milliseconds. */
  readonly minMs: number;
  /** The longest wait, in milliseconds. */
  readonly maxMs: number;
  /** A connection that lived for this many milliseconds did well: the next wait is the first one again. */
  readonly stableMs?: number;
  /** From 0 to 1; injected in tests. */
  readonly random?: () => number;
  /** Milliseconds on a clock that never goes back; injected in tests. */
  readonly now?: () => number;
}

export interface Backoff {
  /** Milliseconds until the next try. Grows up to the maximum; half of it is chance, so that many clients do not come back at once. */
  next(): number;
  /** The connection is open. */
  opened(): void;
  /** The connection is gone; forgets earlier failures if it lived long enough. */
  closed(): void;
}

/** How long to wait before dialling again. A peer that accepts and hangs up at once counts as a failure too. */
export function backoff(options: BackoffOptions): Backoff {
  const { minMs, maxMs, stableMs = 5000, random = Math.random, now = () => performance.now() } = options;
  let failures = 0;
  let openedAt: number | undefined;
  return {
    next: () => {
      const full = Math.min(maxMs, minMs * GROWTH ** Math.min(failures, 100));
      failures += 1;
      return Math.round(full / 2 + (random() * full) / 2);
    },
    opened: () => {
      openedAt = now();
    },
    closed: () => {
      if (openedAt !== undefined && now() - openedAt >= stableMs) failures = 0;
      openedAt = undefined;
    },
  };
}
