import type { Duplex } from 'node:stream';

import { TunnelError } from './errors.ts';

/** Copies both ways between two streams. Each direction may end alone; a side that breaks takes the other with it. */
export function joinStreams(left: Duplex, right: Duplex): void {
  carryFaults(left, right);
  carryFaults(right, left);
  left.pipe(right);
  right.pipe(left);
}

function carryFaults(from: Duplex, to: Duplex): void {
  from.on('error', (error) => to.destroy(error));
  from.on('close', () => {
    const cut = new TunnelError('closed', 'The other end of the connection is gone.');
    if (!from.readableEnded) to.destroy(cut);
    else if (!from.writableFinished && to.writableFinished) to.destroy(cut);
    // What it said last still has to get through.
    else if (!from.writableFinished) to.once('finish', () => to.destroy(cut));
  });
}
