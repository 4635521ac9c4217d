import type { Tunnel } from '@berth/protocol/tunnel';

/** A tunnel to no agent, which only lives until it is closed; `part` is what a test asks of it, and everything else rejects. */
export function tunnelStub(part: Partial<Tunnel> = {}): Tunnel {
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>();
  const never = (): Promise<never> => Promise.reject(new Error('not part of this test'));
  let isClosed = false;
  return {
    closed,
    get isClosed() {
      return isClosed;
    },
    openPty: never,
    connectTcp: never,
    connectSsh: never,
    listeningPorts: never,
    ping: never,
    close: () => {
      isClosed = true;
      resolve(undefined);
    },
    ...part,
  };
}
