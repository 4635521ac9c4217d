import type { AddressInfo } from 'node:net';
import { given } from '@berth/testing';
import { afterAll } from 'vitest';
import type { RawData } from 'ws';
import { WebSocket } from 'ws';
import { connectFakeAgent, startEchoApp } from './fake-agent.ts';
import type { TestServer } from './index.ts';

/** A test server that really listens, for what `inject` cannot do: upgrades, streams, headers as they are on the wire. */
export async function listen(server: TestServer): Promise<{ url: string; port: number }> {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

/** What became of an attempt to open a WebSocket: the status of a refusal, or the code of an immediate close, or `open`. */
export async function upgrade(url: string, headers: Record<string, string>): Promise<{ outcome: number | 'open'; socket: WebSocket }> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  socket.on('error', () => undefined);
  const outcome = await new Promise<number | 'open'>((resolve) => {
    socket.once('unexpected-response', (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once('close', (code) => resolve(code));
    socket.once('open', () => {
      // A door that refuses after the upgrade does so before it answers a ping.
      socket.once('pong', () => resolve('open'));
      socket.ping();
    });
  });
  return { outcome, socket };
}

/** The status and the body with which the upgrade to a WebSocket is refused. Fails when it opens. */
export async function refusedUpgrade(url: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  socket.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate();
      reject(new Error(`${url} opened`));
    });
    socket.once('unexpected-response', (_, response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });
}

export function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}

/** A workspace with a connected agent, an app and a running job: something to hold every kind of stream open on. */
export async function liveWorkspace(server: TestServer, url: string) {
  const rows = given(server.prisma);
  const echo = await startEchoApp();
  afterAll(() => void echo.server.close());
  const made = await rows.workspace({ status: 'running' });
  const { agent, token } = await rows.agent({
    jobId: made.job.id,
    apps: [{ slug: 'web', url: `http://localhost:${echo.port}` }],
  });
  const fake = await connectFakeAgent({ url, token });
  return {
    ...made,
    rows,
    agent,
    token,
    fake,
    key: await server.keyOf(made.owner.id),
    appPath: `/@${made.owner.username}/${made.workspace.name}/apps/web/`,
  };
}

/** Resolves when a response's body ends, however it ends. */
export async function ended(response: Response): Promise<void> {
  const reader = response.body?.getReader();
  try {
    while ((await reader?.read())?.done === false);
  } catch {
    // Cut off, which is an end too.
  }
}
