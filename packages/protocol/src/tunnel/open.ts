import http2 from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

import type { WebSocket } from 'ws';

import { ListeningPorts } from '../agent.ts';
import { TunnelError } from './errors.ts';
import { terminalSize } from './frames.ts';
import { careFor, pingSession } from './session.ts';
import type { SessionCare } from './session.ts';
import {
  HANDSHAKE_TIMEOUT_MS,
  HTTP2_SETTINGS,
  LISTENING_PORTS_PATH,
  MAX_STREAMS,
  PTY_PROTOCOL,
  SESSION_MEMORY_MB,
  SSH_PROTOCOL,
  TCP_PROTOCOL,
} from './settings.ts';
import type { KeepAliveOptions } from './settings.ts';
import { SocketDuplex } from './socket-duplex.ts';
import { PtyStream, TcpStream } from './stream.ts';

const PTY_TIMEOUT_MS = 30_000;
const TCP_TIMEOUT_MS = 10_000;
const PORTS_TIMEOUT_MS = 20_000;
const ANSWER_MAX_BYTES = 512 * 1024;
const COMMAND_MAX = 8 * 1024;

export interface OpenPtyOptions {
  /** Which terminal: the first caller makes it, later ones see the same one, scroll-back first. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Run by the login shell; empty for the shell itself. Only counts when the terminal is made. */
  readonly command: string;
  /** Only looks on at a terminal that is there already; false unless set. */
  readonly isReadOnly?: boolean;
  /** Gives up waiting for the agent, and closes the stream when it is open. */
  readonly signal?: AbortSignal;
}

export interface ConnectSshOptions {
  /** Names a connection that outlives its carriers; absent or empty for plain bytes. */
  readonly stream?: string;
  /** Who was let in: only the same may go on with the connection. */
  readonly holder: string;
  /** Gives up waiting for the agent, and closes the stream when it is open. */
  readonly signal?: AbortSignal;
}

/** The server's end of a tunnel. Everything rejects with a `TunnelError`. */
export interface Tunnel {
  /** Resolves when the tunnel is gone, with the reason if there is one; never rejects. Every stream has been destroyed by then. */
  readonly closed: Promise<Error | undefined>;
  readonly isClosed: boolean;
  /** Opens or re-attaches a terminal; waits 30 s at most. */
  openPty(options: OpenPtyOptions): Promise<PtyStream>;
  /** Connects to `127.0.0.1:port` (or `::1`) in the workspace; waits 10 s at most. Code `refused` when nothing listens there. */
  connectTcp(port: number, options?: { readonly signal?: AbortSignal }): Promise<TcpStream>;
  /** Connects to the SSH server of the workspace; waits 10 s at most. Code `rejected` from an agent that has none. */
  connectSsh(options: ConnectSshOptions): Promise<TcpStream>;
  /** The listening TCP ports of the workspace; waits 20 s at most. */
  listeningPorts(options?: { readonly signal?: AbortSignal }): Promise<ListeningPorts>;
  /** Round trip to the agent in milliseconds. */
  ping(): Promise<number>;
  /** Closes the tunnel and every stream on it. */
  close(): void;
}

/**
 * Takes over the WebSocket that an agent dialled (accepted with `TUNNEL_WEBSOCKET_OPTIONS`); the agent says nothing before us. Resolves when
 * the agent answers the handshake, 10 s at most.
 */
export async function openTunnel(ws: WebSocket, options: KeepAliveOptions = {}): Promise<Tunnel> {
  const duplex = new SocketDuplex(ws);
  const session = http2.connect('http://agent', {
    createConnection: () => duplex,
    settings: { ...HTTP2_SETTINGS, enableConnectProtocol: false },
    maxSessionMemory: SESSION_MEMORY_MB,
    peerMaxConcurrentStreams: MAX_STREAMS,
  });

  const care = careFor(session, duplex, options);
  await handshake(session, care);

  return {
    closed: care.closed,
    get isClosed() {
      return care.isClosed;
    },
    openPty: (request) => openPty(session, request),
    connectTcp: (port, { signal } = {}) => connectTcp(session, port, signal),
    connectSsh: (request) => connectSsh(session, request),
    listeningPorts: ({ signal } = {}) => listeningPorts(session, signal),
    ping: () => pingSession(session),
    close: () => care.kill(),
  };
}

async function handshake(session: ClientHttp2Session, care: SessionCare): Promise<void> {
  const timer = setTimeout(
    () => care.kill(new TunnelError('timeout', 'The agent did not answer the tunnel handshake.')),
    HANDSHAKE_TIMEOUT_MS,
  );
  const settled = new Promise<'settled'>((resolve) => session.once('remoteSettings', () => resolve('settled')));
  const outcome = await Promise.race([settled, care.closed]);
  clearTimeout(timer);
  if (outcome !== 'settled') throw new TunnelError('closed', 'The tunnel closed before the agent answered the handshake.', outcome);
  if (session.remoteSettings.enableConnectProtocol === true) return;
  const error = new TunnelError('protocol', 'The other end of the tunnel does not speak extended CONNECT.');
  care.kill(error);
  throw error;
}

async function openPty(session: ClientHttp2Session, options: OpenPtyOptions): Promise<PtyStream> {
  const { id, width, height, command, isReadOnly = false, signal } = options;
  if (terminalSize(width, height) === undefined) throw new TunnelError('rejected', 'A terminal has 1 to 65535 columns and rows.');
  if (command.length > COMMAND_MAX) throw new TunnelError('rejected', `A command has ${COMMAND_MAX} characters at most.`);
  const query = new URLSearchParams({ id, width: String(width), height: String(height), command, ...(isReadOnly ? { view: '1' } : {}) });
  const headers = connect(PTY_PROTOCOL, `/pty?${query.toString()}`);
  return request(session, { headers, signal, timeoutMs: PTY_TIMEOUT_MS, accept: (stream) => endWith(signal, new PtyStream(stream)) });
}

async function connectTcp(session: ClientHttp2Session, port: number, signal: AbortSignal | undefined): Promise<TcpStream> {
  const headers = connect(TCP_PROTOCOL, `/tcp?port=${port}`);
  return request(session, { headers, signal, timeoutMs: TCP_TIMEOUT_MS, accept: (stream) => endWith(signal, new TcpStream(stream)) });
}

async function connectSsh(session: ClientHttp2Session, { stream = '', holder, signal }: ConnectSshOptions): Promise<TcpStream> {
  const headers = connect(SSH_PROTOCOL, `/ssh?${new URLSearchParams({ stream, holder }).toString()}`);
  return request(session, { headers, signal, timeoutMs: TCP_TIMEOUT_MS, accept: (opened) => endWith(signal, new TcpStream(opened)) });
}

async function listeningPorts(session: ClientHttp2Session, signal: AbortSignal | undefined): Promise<ListeningPorts> {
  const headers = { ':method': 'GET', ':path': LISTENING_PORTS_PATH };
  const accept = (stream: ClientHttp2Stream): Promise<string> => readAll(stream, PORTS_TIMEOUT_MS);
  const answer = await request(session, { headers, signal, timeoutMs: PORTS_TIMEOUT_MS, accept });
  const parsed = ListeningPorts.safeParse(parseJson(answer));
  if (!parsed.success) throw new TunnelError('protocol', 'The agent answered with something other than a list of ports.', parsed.error);
  return parsed.data;
}

function connect(protocol: string, path: string): OutgoingHttpHeaders {
  return { ':method': 'CONNECT', ':protocol': protocol, ':scheme': 'http', ':authority': 'agent', ':path': path };
}

interface RequestOptions<T> {
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Takes the stream over, in the same tick as the answer, so that no later event of it is missed. */
  readonly accept: (stream: ClientHttp2Stream) => T | Promise<T>;
}

/** Sends the headers and waits for a 200; any other answer becomes an error with the agent's words. */
function request<T>(session: ClientHttp2Session, { headers, signal, timeoutMs, accept }: RequestOptions<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (session.destroyed || session.closed) throw new TunnelError('closed', 'The tunnel is closed.');
    if (signal?.aborted === true) throw new TunnelError('closed', 'The request was given up.', signal.reason);
    const stream = session.request(headers, { endStream: headers[':method'] === 'GET' });
    const giveUp = (error: TunnelError): void => {
      reject(error);
      stream.close(http2.constants.NGHTTP2_CANCEL);
    };
    const timer = setTimeout(() => giveUp(new TunnelError('timeout', `The agent did not answer within ${timeoutMs} ms.`)), timeoutMs);
    const onAbort = (): void => giveUp(new TunnelError('closed', 'The request was given up.', signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    stream.on('error', (error) => {
      settle();
      reject(new TunnelError('closed', 'The stream broke off.', error));
    });
    stream.once('close', () => {
      settle();
      reject(new TunnelError('closed', 'The tunnel closed before the agent answered.'));
    });
    stream.once('response', (answer: IncomingHttpHeaders) => {
      settle();
      const status = Number(answer[':status']);
      resolve(status === 200 ? accept(stream) : refusal(stream, status, timeoutMs));
    });
  });
}

async function refusal(stream: ClientHttp2Stream, status: number, timeoutMs: number): Promise<never> {
  stream.end();
  const message = await readAll(stream, timeoutMs).catch(() => '');
  throw new TunnelError(status === 502 ? 'refused' : 'rejected', message.slice(0, 1000) || `The agent answered ${status}.`);
}

function endWith<T extends PtyStream | TcpStream>(signal: AbortSignal | undefined, stream: T): T {
  // Who gets the stream may listen a moment later than it breaks; `errored` and `close` still tell them.
  stream.on('error', () => undefined);
  const onAbort = (): void => {
    stream.destroy();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  stream.once('close', () => signal?.removeEventListener('abort', onAbort));
  return stream;
}

/** The whole answer as text. An untrusted peer may send for ever, so size and time are bounded. */
function readAll(stream: ClientHttp2Stream, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: TunnelError): void => {
      clearTimeout(timer);
      reject(error);
      stream.close(http2.constants.NGHTTP2_CANCEL);
    };
    const timer = setTimeout(() => fail(new TunnelError('timeout', 'The agent did not finish its answer in time.')), timeoutMs);
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > ANSWER_MAX_BYTES) fail(new TunnelError('protocol', 'The answer of the agent is too long.'));
      else chunks.push(chunk);
    });
    stream.once('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    stream.once('close', () => fail(new TunnelError('closed', 'The tunnel closed in the middle of an answer.')));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
