import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

import { createClient, createSocketClient, errorOf } from './index.ts';

const t = initTRPC.context<{ token: string }>().create({
  errorFormatter: ({ shape }) => ({
    ...shape,
    data: {
      httpStatus: 409,
      kind: 'conflict',
      detail: 'more',
      validations: [{ field: 'name', detail: 'is taken' }],
      request_id: 'request-1',
    },
  }),
});
const router = t.router({
  whoami: t.procedure.query(({ ctx }) => ctx.token),
  echo: t.procedure.input(z.string()).mutation(({ input }) => input),
  refuse: t.procedure.mutation(() => {
    throw new TRPCError({ code: 'CONFLICT', message: 'The name is taken.' });
  }),
  never: t.procedure.mutation(() => new Promise<string>(() => undefined)),
});

async function given() {
  const tokenOf = (header: string | string[] | undefined) => ({ token: String(header ?? '') });
  const server = http.createServer(
    createHTTPHandler({ router, basePath: '/api/rpc/', createContext: ({ req }) => tokenOf(req.headers['service-session-token']) }),
  );
  const wss = new WebSocketServer({ server, path: '/api/rpc' });
  applyWSSHandler({ wss, router, createContext: ({ req }) => tokenOf(req.headers['service-session-token']) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    for (const socket of wss.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  return { url, server, wss };
}

function socketTo(url: string, more: Partial<Parameters<typeof createSocketClient>[0]> = {}) {
  const socket = createSocketClient<typeof router>({
    url,
    headers: { 'service-session-token': 'agent-token' },
    WebSocket,
    minDelayMs: 5,
    maxDelayMs: 20,
    ...more,
  });
  onTestFinished(() => socket.close());
  return socket;
}

describe('over HTTP', () => {
  test('a call carries the token', async () => {
    const { url } = await given();
    expect(await createClient<typeof router>({ url: `${url}/`, token: 'key' }).whoami.query()).toBe('key');
  });

  test('a refusal is read with all that the server said', async () => {
    const { url } = await given();
    const error = await createClient<typeof router>({ url })
      .refuse.mutate()
      .catch((thrown: unknown) => errorOf(thrown));
    expect(error).toEqual({
      kind: 'conflict',
      message: 'The name is taken.',
      detail: 'more',
      validations: [{ field: 'name', detail: 'is taken' }],
      requestId: 'request-1',
    });
  });

  test('no answer is a network error', async () => {
    const error = await createClient<typeof router>({ url: 'http://127.0.0.1:1' })
      .whoami.query()
      .catch((thrown: unknown) => errorOf(thrown));
    expect(error).toMatchObject({ kind: 'network', requestId: '' });
  });
});

describe('over WebSocket', () => {
  test('the dial carries the headers', async () => {
    const { url } = await given();
    expect(await socketTo(url).client.whoami.query()).toBe('agent-token');
  });

  test('a lost connection comes back, and a call made meanwhile waits for it', async () => {
    const { url, wss } = await given();
    const opened: number[] = [];
    const lost = Promise.withResolvers<void>();
    const { client } = socketTo(url, { onOpen: () => opened.push(1), onClose: () => lost.resolve() });
    await client.echo.mutate('one');
    for (const socket of wss.clients) socket.terminate();
    await lost.promise;
    expect(await client.echo.mutate('two')).toBe('two');
    expect(opened.length).toBe(2);
  });

  test('a call whose connection breaks before the answer fails', async () => {
    const { url, wss } = await given();
    const { client } = socketTo(url);
    await client.echo.mutate('ready');
    const call = client.never.mutate();
    await client.echo.mutate('the call before this one has arrived');
    for (const socket of wss.clients) socket.terminate();
    expect(errorOf(await call.catch((error: unknown) => error)).kind).toBe('network');
  });

  test('a call waits through dials that fail', async () => {
    const { url, server } = await given();
    // It keeps its port, which somebody else would take otherwise, and hangs up.
    const hangUp = (socket: Socket): unknown => socket.destroy();
    server.on('connection', hangUp);
    const failed = Promise.withResolvers<void>();
    const { client } = socketTo(url, { onClose: () => failed.resolve() });
    const call = client.echo.mutate('at last');
    await failed.promise;
    server.off('connection', hangUp);
    expect(await call).toBe('at last');
  });

  test('a call that waits for a connection can be given up', async () => {
    const { client } = socketTo('http://127.0.0.1:1');
    const abort = new AbortController();
    const call = client.echo.mutate('anyone?', { signal: abort.signal });
    abort.abort();
    await expect(call).rejects.toThrow();
  });

  test('closing does not dial again', async () => {
    const { url, wss } = await given();
    const socket = socketTo(url);
    await socket.client.echo.mutate('ready');
    await socket.close();
    await expect.poll(() => wss.clients.size).toBe(0);
  });
});

test('anything that was thrown can be read', () => {
  expect(errorOf(new Error('boom'))).toMatchObject({ kind: 'internal', message: 'boom' });
  expect(errorOf(undefined).message).not.toBe('');
  expect(errorOf({ data: { kind: 'conflict', validations: 'rubbish' } })).toMatchObject({ kind: 'conflict', validations: [] });
});
