import { once } from 'node:events';
import type { Duplex } from 'node:stream';

import { answerRequest } from './answer-request.ts';
import { Handles } from './handles.ts';
import { PacketSplitter } from './packets.ts';
import { nameOf } from './paths.ts';

/**
 * Serves file transfer on a channel until it ends, one request after the other, as OpenSSH does: requests of one file must keep their
 * order, and the next ones wait in the channel, not in memory. Relative names lie in `home`. Rejects when the client breaks the protocol.
 */
export async function serveSftp(channel: Duplex, home: string): Promise<void> {
  const handles = new Handles();
  const splitter = new PacketSplitter();
  const context = { handles, home: nameOf(home) };
  const isOver = new AbortController();
  channel.on('error', () => undefined);
  channel.once('close', () => isOver.abort());
  try {
    for await (const chunk of channel) {
      for (const request of splitter.push(chunk)) {
        const answer = await answerRequest(request, context);
        if (isOver.signal.aborted) return;
        if (!channel.write(answer)) await once(channel, 'drain', { signal: isOver.signal });
      }
    }
  } catch (error) {
    if (!isOver.signal.aborted) throw error;
  } finally {
    await handles.closeAll();
    channel.end();
  }
}
