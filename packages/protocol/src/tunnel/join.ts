import type { Duplex } from 'node:stream';

import { TunnelError } from './errors.ts';

/** For what a side said before it was gone: it still has to get through. */
const LAST_WORDS_MS = 30_000;

/**
 * Copies both ways between two streams. Each direction may end alone; a side that breaks takes the other with it, but what it said up to its
 * end is delivered.
 */
export function joinStreams(left: Duplex, right: Duplex): void {
  carryFaults(left, right);
  carryFaults(right, left);
  left.pipe(right);
  right.pipe(left);
}

function carryFaults(from: Duplex, to: Duplex): void {
  from.on('error', (error) => {
    if (!from.readableEnded) to.destroy(error);
  });
  from.on('close', () => {
    const cut = new TunnelError('closed', 'The other end of the connection is gone.');
    if (!from.readableEnded) {
      to.destroy(cut);
    } else if (!from.writableFinished) {
      to.resume();
      const timer = setTimeout(() => to.destroy(cut), LAST_WORDS_MS);
      timer.unref();
      to.once('close', () => clearTimeout(timer));
    }
  });
}
