import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';

import type { ServerChannel } from 'ssh2';

/**
 * Copies both ways between a channel of the client and a socket (made with `allowHalfOpen`). Each side may end alone; a side that breaks
 * takes the other with it.
 */
export function joinChannel(channel: ServerChannel, socket: Socket): void {
  let hasChannelEnded = false;
  let hasSocketEnded = false;
  channel.once('end', () => {
    hasChannelEnded = true;
    if (hasSocketEnded) channel.end();
  });
  socket.once('end', () => {
    hasSocketEnded = true;
    void written(channel).then(() => {
      // `end` would close the channel for both directions.
      if (hasChannelEnded) channel.end();
      else channel.eof();
    });
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    if (!hasSocketEnded) channel.close();
  });
  channel.on('error', () => undefined);
  channel.once('close', () => socket.destroySoon());
  channel.pipe(socket);
  socket.pipe(channel, { end: false });
}

/** Resolves when the peer has room for all that was written so far; never, when it goes away before. */
export function written(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.write(Buffer.alloc(0), () => resolve());
  });
}
