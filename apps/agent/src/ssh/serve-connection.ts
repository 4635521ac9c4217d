import type { Connection } from 'ssh2';

import type { Log } from '../log.ts';
import type { Workspace } from '../workspace.ts';
import { serveForwarding } from './forwarding.ts';
import { openHoldings } from './holdings.ts';
import type { KeyAgents } from './key-agent.ts';
import type { SessionCounter } from './session-counts.ts';
import { serveSession } from './session.ts';

const SESSIONS_MAX = 64;
/** Sockets and listeners of one connection; a browser that goes through `ssh -D` opens many. */
const HOLDINGS_MAX = 1024;

export interface ConnectionOptions {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly counter: SessionCounter;
  readonly log: Log;
}

/** Serves one connection: its sessions and forwarded ports, all of which end with it. */
export function serveConnection({ connection, workspace, counter, log }: ConnectionOptions): void {
  const holdings = openHoldings();
  const keyAgents: KeyAgents = { connection, holdings, socket: undefined };
  let sessions = 0;

  // Who may come in was decided, and who came was recorded, before the server opened this stream of the tunnel: nobody else can reach it.
  connection.on('authentication', (context) => context.accept());
  connection.on('session', (accept, reject) => {
    if (sessions >= SESSIONS_MAX) {
      reject();
      return;
    }
    sessions += 1;
    const session = accept();
    const leave = serveSession({ session, workspace, counter, keyAgents, log });
    const drop = holdings.add(leave);
    session.once('close', () => {
      sessions -= 1;
      drop();
    });
  });
  serveForwarding({
    connection,
    holdings,
    hasRoom: () => holdings.size < HOLDINGS_MAX,
    counter,
    home: workspace.environment()['HOME'] ?? '/',
  });
  connection.on('error', (error) => log('info', 'An SSH connection broke off', error));
  connection.once('close', () => holdings.releaseAll());
}
