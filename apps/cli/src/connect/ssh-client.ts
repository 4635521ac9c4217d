import { once } from 'node:events';
import type { Duplex } from 'node:stream';

import ssh2 from 'ssh2';
import type { Client } from 'ssh2';

const READY_MS = 60_000;

export interface SshClientOptions {
  readonly username: string;
  /** Where the person's key agent listens; it is lent to the workspace. */
  readonly agentSocket?: string;
}

/**
 * Speaks SSH over a stream that leads to a workspace. It asks for no password and looks at no host key: the server has let us in and has
 * connected us, and what comes by another way does not get here.
 */
export async function connectSsh(stream: Duplex, { username, agentSocket }: SshClientOptions): Promise<Client> {
  const client = new ssh2.Client();
  // Once it is ready, the end of the stream says why.
  client.on('error', () => undefined);
  const failed = new Promise<never>((_, reject) => {
    client.once('error', reject);
    stream.once('error', reject);
    stream.once('close', () => reject(stream.errored ?? new Error('The connection was closed before the workspace answered.')));
  });
  client.connect({
    sock: stream,
    username,
    readyTimeout: READY_MS,
    // All of these are quick, and an attacker in between would have had to break the connection underneath first.
    algorithms: {
      kex: { prepend: ['curve25519-sha256'], append: [], remove: [] },
      cipher: { prepend: ['aes128-gcm@openssh.com'], append: [], remove: [] },
    },
    ...(agentSocket === undefined ? {} : { agent: agentSocket, agentForward: true }),
  });
  await Promise.race([once(client, 'ready'), failed]);
  return client;
}
