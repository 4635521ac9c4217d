import { chmod, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Connection } from 'ssh2';

import type { Holdings } from './holdings.ts';
import { joinChannel } from './join-channel.ts';

const CONNECTIONS_MAX = 32;

/** The client's key agent as programs of the workspace may ask it: one socket for a connection, made when it is wanted. */
export interface KeyAgents {
  readonly connection: Connection;
  readonly holdings: Holdings;
  socket: Promise<string> | undefined;
}

/** The variables by which programs find the client's key agent. Only this user can open the socket, and it is gone with the connection. */
export async function shareKeyAgent(agents: KeyAgents): Promise<{ SSH_AUTH_SOCK: string }> {
  agents.socket ??= listen(agents);
  return { SSH_AUTH_SOCK: await agents.socket };
}

async function listen({ connection, holdings }: KeyAgents): Promise<string> {
  // `mkdtemp` makes the folder private.
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-ssh-'));
  const file = path.join(folder, 'agent');
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const drop = holdings.add(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', drop);
    connection.openssh_authAgent((error, channel) => {
      if (error) socket.destroy();
      else joinChannel(channel, socket);
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('error', () => undefined);
  holdings.add(() => {
    server.close();
    void rm(folder, { recursive: true, force: true });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, resolve);
  });
  await chmod(file, 0o600);
  return file;
}
