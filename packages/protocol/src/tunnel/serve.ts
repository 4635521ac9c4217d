import http2 from 'node:http2';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';

import type { WebSocket } from 'ws';

import { AGENT_LIMITS } from '../agent.ts';
import type { ListeningPort } from '../agent.ts';
import { TunnelError } from './errors.ts';
import { terminalSize } from './frames.ts';
import { joinStreams } from './join.ts';
import { careFor } from './session.ts';
import {
  HANDSHAKE_TIMEOUT_MS,
  HTTP2_SETTINGS,
  LISTENING_PORTS_PATH,
  PTY_PROTOCOL,
  SESSION_MEMORY_MB,
  SSH_PROTOCOL,
  TCP_PROTOCOL,
} from './settings.ts';
import type { KeepAliveOptions } from './settings.ts';
import { SocketDuplex } from './socket-duplex.ts';
import { PtyChannel, TcpStream } from './stream.ts';
import type { ByteCounter } from './stream.ts';

/** A terminal that the server asks for. `command` is empty for the login shell. */
export interface PtyRequest {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly command: string;
  /** Only looks on: the terminal must be there already, and takes neither input nor size from this viewer. */
  readonly isReadOnly: boolean;
}

/** A connection to the SSH server of the workspace. */
export interface SshRequest {
  /** Names a connection that outlives its carriers (see `@berth/protocol/resumable`); empty for plain bytes that end with the stream. */
  readonly stream: string;
  /** Who was let in, as the server says: nobody else may go on with this connection. */
  readonly holder: string;
}

/**
 * What an agent can do for the server. A handler that rejects answers the server with its error's message. `signal` aborts when the server
 * stops waiting for the answer, and never after it.
 */
export interface TunnelHandlers {
  /** Finds or makes the terminal; the function that it answers is called with the open channel. */
  pty(request: PtyRequest, signal: AbortSignal): Promise<(channel: PtyChannel) => void>;
  /** Connects to a port of the workspace. Rejects with a `TunnelError` of code `refused` when nothing listens there. */
  tcp(port: number, signal: AbortSignal): Promise<Duplex>;
  listeningPorts(signal: AbortSignal): Promise<readonly ListeningPort[]>;
  /** Takes a connection to the SSH server; the function that it answers is called with the open stream. */
  ssh?(request: SshRequest, signal: AbortSignal): Promise<(stream: Duplex) => void>;
}

/** The agent's end of a tunnel. */
export interface ServedTunnel {
  /** Resolves when the tunnel is gone, with the reason if there is one; never rejects. */
  readonly closed: Promise<Error | undefined>;
  /** Open streams now, and bytes since the tunnel was made (`rxBytes` came from the server). */
  stats(): ByteCounter & { readonly streams: number };
  /** Closes the tunnel and every stream on it. */
  close(): void;
}

/**
 * Serves the server's requests on an open WebSocket; call it in the tick in which the socket opens. Waits for the server's first words,
 * since those find a listener only once the server has taken the socket over. Every stream ends when the tunnel does; what the handlers
 * made may live on.
 */
export function serveTunnel(ws: WebSocket, handlers: TunnelHandlers, options: KeepAliveOptions = {}): ServedTunnel {
  const duplex = new SocketDuplex(ws);
  const bytes: ByteCounter = { rxBytes: 0, txBytes: 0 };
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>();
  let streams = 0;

  const silence = setTimeout(
    () => duplex.kill(new TunnelError('timeout', 'The server did not begin the tunnel handshake.')),
    HANDSHAKE_TIMEOUT_MS,
  );
  const onUnheard = (): void => resolve(duplex.reason);
  duplex.once('close', onUnheard);
  duplex.once('close', () => clearTimeout(silence));
  duplex.once('heard', () => {
    clearTimeout(silence);
    duplex.off('close', onUnheard);
    const session = http2.performServerHandshake(duplex, { settings: HTTP2_SETTINGS, maxSessionMemory: SESSION_MEMORY_MB });
    resolve(careFor(session, duplex, options).closed);
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      streams += 1;
      stream.once('close', () => {
        streams -= 1;
      });
      stream.on('error', () => undefined);
      const gone = new AbortController();
      const abandon = (): void => gone.abort();
      stream.once('close', abandon);
      const respond = (answered: OutgoingHttpHeaders): void => {
        stream.off('close', abandon);
        stream.respond(answered);
      };
      answer({ stream, headers, handlers, bytes, respond, signal: gone.signal }).catch((error: unknown) => refuse(stream, error));
    });
  });

  return {
    closed,
    stats: () => ({ ...bytes, streams }),
    close: () => duplex.kill(),
  };
}

interface Call {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly handlers: TunnelHandlers;
  readonly bytes: ByteCounter;
  /** Ends the wait that `signal` is about. */
  readonly respond: (headers: OutgoingHttpHeaders) => void;
  readonly signal: AbortSignal;
}

async function answer(call: Call): Promise<void> {
  const { headers, stream, handlers, bytes, respond, signal } = call;
  const url = URL.parse(String(headers[':path'] ?? ''), 'http://agent');
  const protocol = headers[':method'] === 'CONNECT' ? headers[':protocol'] : undefined;
  if (url !== null && protocol === PTY_PROTOCOL) {
    const attach = await handlers.pty(readPtyRequest(url.searchParams), signal);
    if (stream.closed) return;
    respond({ ':status': 200 });
    const channel = new PtyChannel(stream, bytes);
    // Whoever holds the channel listens to `close`; an error here only says that the viewer left.
    channel.on('error', () => undefined);
    attach(channel);
  } else if (url !== null && protocol === TCP_PROTOCOL) {
    const port = readPort(url.searchParams);
    const socket = await handlers.tcp(port, signal);
    if (stream.closed) {
      socket.destroy();
      return;
    }
    respond({ ':status': 200 });
    joinStreams(new TcpStream(stream, bytes), socket);
  } else if (url !== null && protocol === SSH_PROTOCOL && handlers.ssh !== undefined) {
    const attach = await handlers.ssh(readSshRequest(url.searchParams), signal);
    if (stream.closed) return;
    respond({ ':status': 200 });
    const channel = new TcpStream(stream, bytes);
    channel.on('error', () => undefined);
    attach(channel);
  } else if (headers[':method'] === 'GET' && url?.pathname === LISTENING_PORTS_PATH) {
    const ports = (await handlers.listeningPorts(signal)).slice(0, AGENT_LIMITS.listeningPortsMax);
    if (stream.closed) return;
    respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end(JSON.stringify({ ports }));
  } else {
    respond({ ':status': 404 });
    stream.end('The agent does not know this request.');
  }
}

function readPtyRequest(query: URLSearchParams): PtyRequest {
  const id = query.get('id') ?? '';
  const size = terminalSize(Number(query.get('width')), Number(query.get('height')));
  if (id === '' || size === undefined) throw new TunnelError('protocol', 'A terminal needs an id, a width and a height.');
  return { id, ...size, command: query.get('command') ?? '', isReadOnly: query.get('view') === '1' };
}

function readSshRequest(query: URLSearchParams): SshRequest {
  const stream = query.get('stream') ?? '';
  const holder = query.get('holder') ?? '';
  if (stream.length > 64 || holder.length > 64) throw new TunnelError('protocol', 'The name of an SSH connection is too long.');
  return { stream, holder };
}

function readPort(query: URLSearchParams): number {
  const port = Number(query.get('port'));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TunnelError('protocol', 'A port is a number from 1 to 65535.');
  return port;
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.closed) return;
  if (stream.headersSent) {
    stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  const code = error instanceof TunnelError ? error.code : 'rejected';
  stream.respond({ ':status': code === 'refused' ? 502 : code === 'protocol' ? 400 : 500 });
  stream.end((error instanceof Error ? error.message : 'The agent could not do this.').slice(0, 1000));
}
