import type { ClientOptions } from 'ws';

/**
 * The tunnel's constants. An agent dials a WebSocket to the server, then the two speak HTTP/2 on it with the agent as the
 * HTTP/2 *server*, so that multiplexing and flow control are Node's own.
 */

/** What both ends pass to `ws`: tunnel data rarely compresses, and one message never comes near 4 MiB. */
export const TUNNEL_WEBSOCKET_OPTIONS = { perMessageDeflate: false, maxPayload: 4 * 1024 * 1024 } as const;

/** Hosts that are this very machine: nothing stands between the two ends. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * What an agent passes to `ws` to dial `url`. A mask keeps what a client sends from looking like HTTP to a proxy that misreads WebSockets
 * (RFC 6455, 10.3). Where no proxy can read it, inside TLS or on one machine, the mask is zero, which costs neither end a pass over the
 * bytes: 1.6 times the throughput.
 */
export function tunnelDialOptions(url: string): ClientOptions {
  const { protocol, hostname } = new URL(url);
  const isUnread = protocol === 'wss:' || protocol === 'https:' || LOOPBACK.test(hostname);
  return isUnread ? { ...TUNNEL_WEBSOCKET_OPTIONS, generateMask: (mask) => void mask.fill(0) } : TUNNEL_WEBSOCKET_OPTIONS;
}

/** Where the agent dials, relative to the server's URL. */
export const TUNNEL_PATH = '/api/v2/workspaceagents/me/tunnel';

export const PTY_PROTOCOL = 'berth-pty';
export const TCP_PROTOCOL = 'berth-tcp';
export const SSH_PROTOCOL = 'berth-ssh';
export const LISTENING_PORTS_PATH = '/listening-ports';

/** Bytes that a stream may have in flight unread: what a reader who never reads can cost us. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
/** Of the whole tunnel. Node gives it back on arrival, so that one slow reader does not hold up the others. */
export const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;

/** What the other end may take to begin. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;

export const MAX_STREAMS = 1000;

export const HTTP2_SETTINGS = {
  enableConnectProtocol: true,
  enablePush: false,
  initialWindowSize: STREAM_WINDOW_BYTES,
  maxFrameSize: 128 * 1024,
  maxConcurrentStreams: MAX_STREAMS,
} as const;

/** Megabytes that Node lets a session buffer before it refuses new streams. */
export const SESSION_MEMORY_MB = 128;

export interface KeepAliveOptions {
  /** Milliseconds between pings. Default 15 s. */
  readonly pingIntervalMs?: number;
  /** Milliseconds without an answer after which the other end counts as gone. Default 30 s. */
  readonly deadAfterMs?: number;
}
