import { reportOf } from '@berth/api/server';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';

const PING_MS = 15_000;
/** The protocol's limit for a close reason, in bytes. */
const REASON_BYTES = 123;

/**
 * Pings a socket every 15 s and ends it when a ping stays unanswered until the next, unless nobody reads the socket now: back-pressure is
 * no silence. Returns the way to stop.
 */
export function keepAlive(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive && !socket.isPaused) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_MS);
  const stop = (): void => clearInterval(timer);
  socket.once('close', stop);
  return stop;
}

/** Closes a socket with the report of a failure: 1011, or 1008 when the caller is at fault. What nobody expected is logged. */
export function closeWithError(socket: WebSocket, error: unknown, request: FastifyRequest): void {
  const report = reportOf(error);
  if (report.kind === 'internal') request.log.error({ err: error, request_id: request.id }, 'a stream failed');
  const reason = Buffer.from(report.message).subarray(0, REASON_BYTES).toString();
  socket.close(report.status >= 500 ? 1011 : 1008, reason);
}

/** Sends one frame and waits until the socket took it, so that a slow reader slows its source. */
export function sendFrame(socket: WebSocket, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(data, (error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}

/** Sends each value of a source as one JSON text frame; closes normally when the source ends. */
export async function streamJson<T>(
  socket: WebSocket,
  request: FastifyRequest,
  open: (signal: AbortSignal) => AsyncIterable<T> | Promise<AsyncIterable<T>>,
): Promise<void> {
  const abort = new AbortController();
  socket.once('close', () => abort.abort());
  socket.on('error', () => abort.abort());
  keepAlive(socket);
  try {
    for await (const value of await open(abort.signal)) {
      if (abort.signal.aborted) return;
      await sendFrame(socket, JSON.stringify(value));
    }
    socket.close(1000);
  } catch (error) {
    if (!abort.signal.aborted) closeWithError(socket, error, request);
  }
}
