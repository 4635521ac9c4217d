import { chmod } from 'node:fs/promises';
import net from 'node:net';
import type { AddressInfo, ListenOptions, NetConnectOpts, Server, Socket } from 'node:net';
import path from 'node:path';

import type { Connection, ServerChannel } from 'ssh2';

import { commandLineAt } from '../ports.ts';
import type { Holdings } from './holdings.ts';
import { joinChannel } from './join-channel.ts';
import type { SessionCounter } from './session-counts.ts';

const CONNECT_TIMEOUT_MS = 30_000;
const LISTENERS_MAX = 64;
/** On the command line of the back ends of JetBrains' editors. */
const JETBRAINS = 'idea.vendor.name=JetBrains';

export interface ForwardingOptions {
  readonly connection: Connection;
  /** Of this connection. */
  readonly holdings: Holdings;
  /** False when the connection has as many channels as it may have. */
  readonly hasRoom: () => boolean;
  readonly counter: SessionCounter;
  /** Where relative names of sockets lie. */
  readonly home: string;
}

type Accept = (() => ServerChannel) | undefined;
type Reject = (() => void) | undefined;

interface Asked {
  readonly accept: Accept;
  readonly reject: Reject;
  readonly onOpen?: (socket: Socket) => void;
}

/** Connects the client to addresses and sockets that the workspace reaches (`ssh -L`), and the other way round (`ssh -R`). */
export function serveForwarding({ connection, holdings, hasRoom, counter, home }: ForwardingOptions): void {
  const listeners = new Map<string, () => void>();

  connection.on('tcpip', (accept: Accept, reject: Reject, { destIP, destPort }: { destIP: string; destPort: number }) =>
    connect({ host: destIP, port: destPort }, { accept, reject, onOpen: (socket) => void countEditor(socket, destPort) }),
  );
  connection.on('openssh.streamlocal', (accept: Accept, reject: Reject, { socketPath }: { socketPath: string }) =>
    connect({ path: path.resolve(home, socketPath) }, { accept, reject }),
  );
  connection.on('request', (accept: ((port?: number) => void) | undefined, reject: Reject, name: string, info: unknown) => {
    answer(name, info).then(
      (port) => accept?.(port),
      () => reject?.(),
    );
  });

  function connect(address: NetConnectOpts, { accept, reject, onOpen }: Asked): void {
    if (!hasRoom()) {
      reject?.();
      return;
    }
    const socket = net.connect({ ...address, allowHalfOpen: true });
    hold(socket);
    const refuse = (): void => {
      socket.destroy();
      reject?.();
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, refuse);
    socket.once('error', refuse);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', refuse);
      socket.setNoDelay(true);
      const channel = accept?.();
      if (channel === undefined) {
        socket.destroy();
        return;
      }
      joinChannel(channel, socket);
      onOpen?.(socket);
    });
  }

  /** The back ends of JetBrains' editors are reached by forwarded ports, not by a session that would say what it is. */
  async function countEditor(socket: Socket, port: number): Promise<void> {
    if (!(await commandLineAt(port)).includes(JETBRAINS) || socket.destroyed) return;
    socket.once('close', counter.begin('jetbrains'));
  }

  function hold(socket: Socket): void {
    const drop = holdings.add(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', drop);
  }

  /** Resolves with the port when the client left its choice to us. */
  async function answer(name: string, info: unknown): Promise<number | undefined> {
    switch (name) {
      case 'tcpip-forward':
        return await listenOnPort(tcpAddress(info));
      case 'cancel-tcpip-forward': {
        const { bindAddr, bindPort } = tcpAddress(info);
        stop(tcpName(bindAddr, bindPort));
        return undefined;
      }
      case 'streamlocal-forward@openssh.com':
        await listenOnSocket(socketPath(info));
        return undefined;
      case 'cancel-streamlocal-forward@openssh.com':
        stop(socketPath(info));
        return undefined;
      default:
        throw new Error('Unknown request.');
    }
  }

  /** Listens on the loopback only, whatever the client asks for: who may reach the workspace is the server's to say. */
  async function listenOnPort({ bindAddr, bindPort }: TcpAddress): Promise<number> {
    const forward = (socket: Socket): void => {
      const { remoteAddress = '127.0.0.1', remotePort = 0 } = socket;
      // The client knows the listener by the address as it asked for it.
      connection.forwardOut(bindAddr, port, remoteAddress, remotePort, whenOpen(socket));
    };
    const server = await listen({ host: '127.0.0.1', port: bindPort }, forward);
    const port = portOf(server);
    const servers = [server];
    // Programs that know `localhost` as ::1 find it, too, if the workspace has that.
    const second = await listen({ host: '::1', port }, forward).catch(() => undefined);
    if (second !== undefined) servers.push(second);
    keep(tcpName(bindAddr, port), () => servers.forEach((each) => each.close()));
    return port;
  }

  async function listenOnSocket(named: string): Promise<void> {
    const file = path.resolve(home, named);
    // The client knows the listener by the name as it gave it.
    const server = await listen({ path: file }, (socket) => connection.openssh_forwardOutStreamLocal(named, whenOpen(socket)));
    // Closing removes the file.
    keep(named, () => server.close());
    await chmod(file, 0o600);
  }

  async function listen(options: ListenOptions, onSocket: (socket: Socket) => void): Promise<Server> {
    if (listeners.size >= LISTENERS_MAX) throw new Error('This connection has too many listeners.');
    const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      hold(socket);
      if (hasRoom()) onSocket(socket);
      else socket.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options, resolve);
    });
    server.on('error', () => undefined);
    return server;
  }

  function keep(name: string, close: () => void): void {
    const drop = holdings.add(close);
    listeners.set(name, () => {
      drop();
      close();
    });
  }

  function stop(name: string): void {
    const close = listeners.get(name);
    if (close === undefined) throw new Error('There is no such listener.');
    listeners.delete(name);
    close();
  }
}

function whenOpen(socket: Socket): (error: Error | undefined, channel: ServerChannel) => void {
  return (error, channel) => {
    if (error === undefined) joinChannel(channel, socket);
    else socket.destroy();
  };
}

interface TcpAddress {
  readonly bindAddr: string;
  readonly bindPort: number;
}

function tcpName(address: string, port: number): string {
  return `${address}:${port}`;
}

function tcpAddress(info: unknown): TcpAddress {
  if (typeof info === 'object' && info !== null && 'bindAddr' in info && 'bindPort' in info) {
    const { bindAddr, bindPort } = info;
    if (typeof bindAddr === 'string' && typeof bindPort === 'number') return { bindAddr, bindPort };
  }
  throw new Error('This is no address.');
}

function socketPath(info: unknown): string {
  if (typeof info === 'object' && info !== null && 'socketPath' in info && typeof info.socketPath === 'string') return info.socketPath;
  throw new Error('This is no path of a socket.');
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
  return address.port;
}
