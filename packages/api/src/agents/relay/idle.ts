import type { Duplex } from 'node:stream';
import type { Tunnel } from '@berth/protocol/tunnel';

/** The tunnel itself, which closes when nothing went through it for so many milliseconds. */
export function closeWhenIdle(tunnel: Tunnel, idleMs: number): Tunnel {
  let inUse = 0;
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    timer = setTimeout(() => tunnel.close(), idleMs);
    timer.unref();
  };
  const begin = (): void => {
    inUse += 1;
    clearTimeout(timer);
  };
  const end = (): void => {
    inUse -= 1;
    if (inUse === 0 && !tunnel.isClosed) rest();
  };
  const used = async <T>(work: Promise<T>): Promise<T> => {
    begin();
    return await work.finally(end);
  };
  const held = async <S extends Duplex>(opening: Promise<S>): Promise<S> => {
    const stream = await used(opening);
    begin();
    if (stream.closed) end();
    else stream.once('close', end);
    return stream;
  };
  rest();
  void tunnel.closed.then(() => clearTimeout(timer));
  return {
    closed: tunnel.closed,
    get isClosed() {
      return tunnel.isClosed;
    },
    openPty: (options) => held(tunnel.openPty(options)),
    connectTcp: (port, options) => held(tunnel.connectTcp(port, options)),
    connectSsh: (options) => held(tunnel.connectSsh(options)),
    listeningPorts: (options) => used(tunnel.listeningPorts(options)),
    ping: () => used(tunnel.ping()),
    close: () => tunnel.close(),
  };
}
