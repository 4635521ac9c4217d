import type { Duplex } from 'node:stream';

import { ResumableHost } from '@berth/protocol/resumable';
import type { SshRequest } from '@berth/protocol/tunnel';
import type { Server, ServerConfig } from 'ssh2';

import './patched-ssh2.ts';
import type { Log } from '../log.ts';
import type { Workspace } from '../workspace.ts';
import { makeHostKey } from './host-key.ts';
import { serveConnection } from './serve-connection.ts';
import { countSessions } from './session-counts.ts';
import type { SessionCounts } from './session-counts.ts';

const CONNECTIONS_MAX = 64;
/** How long a connection waits for its client to come back after its carrier broke. */
const GRACE_MS = 120_000;
const HANDSHAKE_TIMEOUT_MS = 60_000;
const GOODBYE_MS = 5000;
/** A client that answers nothing for ten minutes is gone. Long enough for a connection that goes on after its carrier broke. */
const KEEP_ALIVE = { keepaliveInterval: 60_000, keepaliveCountMax: 10 };

const ALGORITHMS: ServerConfig['algorithms'] = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'diffie-hellman-group16-sha512'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  // The tunnel is the place for that, if any.
  compress: ['none'],
};

export interface SshServer {
  /** Takes a connection of the tunnel; what it answers serves its bytes. Rejects when there are too many. */
  open(request: SshRequest): Promise<(carrier: Duplex) => void>;
  /** Sessions that run now. */
  readonly sessions: SessionCounts;
  /** Connections now, also those that only forward ports. */
  readonly connections: number;
  /** Ends all connections. */
  close(): void;
}

export interface SshServerOptions {
  readonly workspace: Promise<Workspace>;
  readonly log: Log;
}

/** The workspace's SSH server. Nothing of it is loaded before the first connection. */
export function openSshServer({ workspace, log }: SshServerOptions): SshServer {
  const counter = countSessions();
  const connections = new Set<Duplex>();
  const resumable = new ResumableHost({ graceMs: GRACE_MS, maxStreams: CONNECTIONS_MAX });
  let loaded: Promise<Library> | undefined;

  function serve(bytes: Duplex, library: Library, place: Workspace): void {
    connections.add(bytes);
    const impatience = setTimeout(() => bytes.destroy(), HANDSHAKE_TIMEOUT_MS);
    bytes.on('error', () => undefined);
    bytes.once('close', () => {
      connections.delete(bytes);
      clearTimeout(impatience);
    });
    bytes.once('end', () => {
      bytes.end();
      setTimeout(() => bytes.destroy(), GOODBYE_MS).unref();
    });
    const server = new library.Server(library.config, (connection) => {
      connection.once('ready', () => clearTimeout(impatience));
      serveConnection({ connection, workspace: place, counter, log });
    });
    server.injectSocket(bytes);
  }

  return {
    open: async (request) => {
      const isPlain = request.stream === '';
      if (isPlain && connections.size >= CONNECTIONS_MAX) {
        throw new Error(`This workspace has ${CONNECTIONS_MAX} SSH connections open already.`);
      }
      loaded ??= load();
      const [library, place] = await Promise.all([loaded, workspace]);
      return (carrier) => {
        const bytes = isPlain ? carrier : resumable.accept(carrier, request);
        if (bytes !== null) serve(bytes, library, place);
      };
    },
    get sessions() {
      return counter.counts;
    },
    get connections() {
      return connections.size;
    },
    close: () => {
      resumable.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

interface Library {
  readonly Server: typeof Server;
  readonly config: ServerConfig;
}

/** The host key is made for this process: clients know the workspace by the server that they came through, not by a key. */
async function load(): Promise<Library> {
  const { default: ssh2 } = await import('ssh2');
  const config: ServerConfig = { hostKeys: [makeHostKey()], algorithms: ALGORITHMS, ident: 'Berth', ...KEEP_ALIVE };
  return { Server: ssh2.Server, config };
}
