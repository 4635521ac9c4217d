import { once } from 'node:events';

import type { ServerChannel } from 'ssh2';

import { finish } from '../process.ts';
import { answerRequest } from './answer-request.ts';
import { Handles } from './handles.ts';
import { PacketSplitter } from './packets.ts';
import { nameOf } from './paths.ts';

export interface SftpOptions {
  readonly channel: ServerChannel;
  /** Where relative names lie. */
  readonly home: string;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * Serves file transfer on a channel until it ends, one request after the other, as OpenSSH does: requests of one file must keep their
 * order, and the next ones wait in the channel, not in memory. Rejects when the client breaks the protocol.
 */
export async function serveSftp({ channel, home, signal }: SftpOptions): Promise<void> {
  const handles = new Handles();
  const splitter = new PacketSplitter();
  const context = { handles, home: nameOf(home) };
  try {
    for await (const chunk of channel.iterator({ destroyOnReturn: false })) {
      for (const request of splitter.push(chunk)) {
        const answer = await answerRequest(request, context);
        if (signal.aborted) return;
        if (!channel.write(answer)) await once(channel, 'drain', { signal });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await handles.closeAll();
    // Clients take an end without a code for a failure.
    if (!signal.aborted) void finish(channel, { code: 0 });
  }
}
