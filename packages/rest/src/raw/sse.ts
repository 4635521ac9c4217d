import { reportOf } from '@berth/api/server';
import type { FastifyReply } from 'fastify';
import { errorBody, sendFailure } from '../http/errors.ts';

const PING_MS = 15_000;

interface ResumableEvents<T> {
  /** Names a value, for the client to send back as `Last-Event-ID`. */
  readonly idOf: (value: T) => string;
  /** Whether the client has a value already: then the first one may be long in coming, and the answer does not wait for it. */
  readonly isResumed: boolean;
}

/**
 * Answers with server-sent events: one `data` event per value, a `ping` every 15 s, and an `error` event with the error body when
 * the source fails. A source that fails before its first value answers as plain JSON. Ends with the source or with the client;
 * the source gets no further ahead than the socket takes.
 */
export async function sendEvents<T>(
  reply: FastifyReply,
  open: (signal: AbortSignal) => AsyncGenerator<T, void, void> | Promise<AsyncGenerator<T, void, void>>,
  resumable?: ResumableEvents<T>,
): Promise<void> {
  const abort = new AbortController();
  reply.raw.once('close', () => abort.abort());
  let source: AsyncGenerator<T, void, void>;
  let first: IteratorResult<T, void> | undefined;
  try {
    source = await open(abort.signal);
    if (resumable?.isResumed !== true) first = await source.next();
  } catch (error) {
    void sendFailure(reply, error);
    return;
  }
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  const write = async (event: string, data?: string, id?: string): Promise<void> => {
    const named = id === undefined ? '' : `id: ${id}\n`;
    const isReady = raw.write(data === undefined ? `event: ${event}\n\n` : `event: ${event}\n${named}data: ${data}\n\n`);
    if (!isReady && !abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        raw.once('drain', resolve);
        raw.once('close', resolve);
      });
    }
  };
  await write('ping');
  const pings = setInterval(() => void write('ping'), PING_MS);
  try {
    for (let next = first ?? (await source.next()); next.done !== true && !abort.signal.aborted; next = await source.next()) {
      await write('data', JSON.stringify(next.value), resumable?.idOf(next.value));
    }
  } catch (error) {
    reply.request.log.error({ err: error, request_id: reply.request.id }, 'a stream failed');
    await write('error', JSON.stringify(errorBody(reportOf(error))));
  } finally {
    clearInterval(pings);
    await source.return();
    raw.end();
  }
}
