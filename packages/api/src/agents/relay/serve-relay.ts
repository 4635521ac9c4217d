import type { PtyChannel, PtyStream, ServedTunnel, Tunnel, TunnelHandlers } from '@berth/protocol/tunnel';
import { joinStreams, serveTunnel } from '@berth/protocol/tunnel';

/** What another replica asks of an agent goes on through the tunnel that this one holds, stream by stream. */
function relayHandlers(tunnel: Tunnel): TunnelHandlers {
  return {
    async pty(request, signal) {
      const terminal = await tunnel.openPty({ ...request, signal });
      return (channel) => joinTerminal(channel, terminal);
    },
    tcp: (port, signal) => tunnel.connectTcp(port, { signal }),
    async ssh(request, signal) {
      const connection = await tunnel.connectSsh({ ...request, signal });
      return (stream) => joinStreams(stream, connection);
    },
    listeningPorts: async (signal) => (await tunnel.listeningPorts({ signal })).ports,
  };
}

function joinTerminal(channel: PtyChannel, terminal: PtyStream): void {
  channel.on('resize', (size: { width: number; height: number }) => terminal.resize(size));
  channel.on('close', () => terminal.destroy());
  channel.pipe(terminal);
  terminal.pipe(channel, { end: false });
  terminal.on('end', () => {
    if (terminal.exit === null) channel.end();
    else channel.finish(terminal.exit);
  });
  terminal.on('close', () => {
    if (!terminal.readableEnded) channel.destroy(terminal.errored ?? undefined);
  });
}

/** Serves an agent's tunnel on an open WebSocket to another replica, for as long as both last; call it in the tick in which the socket opens. */
export function serveRelay(socket: Parameters<typeof serveTunnel>[0], tunnel: Tunnel): ServedTunnel {
  const served = serveTunnel(socket, relayHandlers(tunnel), { pingIntervalMs: 4000, deadAfterMs: 10_000 });
  void tunnel.closed.then(() => served.close());
  return served;
}
