import { connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { joinStreams } from '@berth/protocol/tunnel';
import type { Client } from 'ssh2';

import { CliError, EXIT } from '../frame/errors.ts';
import { placeOf } from './forward-specs.ts';
import type { ForwardSpec } from './forward-specs.ts';
import { listenLocally } from './listen-locally.ts';

/** `-L`: a port of this machine leads to a place that the workspace reaches. */
export async function forwardOut(
  client: Client,
  spec: ForwardSpec,
  onProblem: (text: string) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  const open = (socket: Socket): Promise<Duplex> =>
    new Promise((resolve, reject) => {
      client.forwardOut(socket.remoteAddress ?? '127.0.0.1', socket.remotePort ?? 0, spec.host, spec.port, (error, channel) => {
        if (error === undefined) resolve(channel);
        else reject(new Error(`${placeOf(spec.host, spec.port)} cannot be reached from the workspace: ${error.message}`));
      });
    });
  return listenLocally(spec, open, onProblem);
}

/** `-R`: a port of the workspace leads to a place that this machine reaches. Answers the port, which the workspace may have chosen. */
export async function forwardIn(client: Client, spec: ForwardSpec): Promise<number> {
  const port = await new Promise<number>((resolve, reject) => {
    client.forwardIn(spec.listenHost, spec.listenPort, (error, chosen) => {
      if (error === undefined) resolve(spec.listenPort === 0 ? chosen : spec.listenPort);
      else reject(new CliError(EXIT.failed, `The workspace cannot listen on port ${spec.listenPort}: ${error.message}.`));
    });
  });
  client.on('tcp connection', ({ destIP, destPort }, accept, reject) => {
    if (destPort !== port || destIP !== spec.listenHost) return;
    const socket = connect({ host: spec.host, port: spec.port, allowHalfOpen: true });
    socket.once('connect', () => joinStreams(socket, accept()));
    socket.once('error', () => {
      if (socket.pending) reject();
    });
  });
  return port;
}
