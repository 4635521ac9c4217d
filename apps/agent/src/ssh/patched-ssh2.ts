import type { Duplex } from 'node:stream';

/** What the library does and its types do not say, or what our patch of it (see `patches`) adds. */
declare module 'ssh2' {
  interface Server {
    /** Serves one connection over any carrier of bytes. */
    injectSocket(carrier: Duplex): void;
  }
  interface Connection {
    /** Opens a channel to the key agent of the client. */
    openssh_authAgent(callback: ServerCallback): this;
  }
}
