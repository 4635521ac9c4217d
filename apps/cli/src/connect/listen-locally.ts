import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { joinStreams } from '@berth/protocol/tunnel';

import { CliError, EXIT } from '../frame/errors.ts';
import { placeOf } from './forward-specs.ts';
import type { ForwardSpec } from './forward-specs.ts';

/** Listens on this machine and takes each connection to where `open` leads. @throws CliError when the port is taken. */
export async function listenLocally(
  spec: ForwardSpec,
  open: (socket: Socket) => Promise<Duplex>,
  onProblem: (text: string) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  // The half of a connection that is still needed lives on after the other one.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    open(socket).then(
      (stream) => joinStreams(socket, stream),
      (error: unknown) => {
        onProblem(error instanceof Error ? error.message : 'The connection failed.');
        socket.destroy();
      },
    );
  });
  server.listen(spec.listenPort, spec.listenHost);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    const why = code === 'EADDRINUSE' ? 'the port is already in use' : code === 'EACCES' ? 'permission denied' : String(code);
    throw new CliError(EXIT.failed, `${placeOf(spec.listenHost, spec.listenPort)} cannot be used: ${why}.`, { cause });
  }
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : spec.listenPort };
}
