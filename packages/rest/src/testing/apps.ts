import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestServer } from './index.ts';
import { given } from '@berth/testing';
import { afterAll } from 'vitest';
import { connectFakeAgent } from './fake-agent.ts';

/** What an app was asked, as it answers by default. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A program in a workspace: tells what it was asked, echoes upgrades, unless told to do something else. */
export async function startApp(listener?: RequestListener): Promise<{ port: number; server: Server; asked: Asked[] }> {
  const asked: Asked[] = [];
  const tell: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers, rawHeaders } = request;
      asked.push({ method, url, headers, rawHeaders, body });
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['berth_session=stolen; Path=/', 'theirs=1'] });
      response.end(JSON.stringify(asked.at(-1)));
    });
  };
  const server = createServer(listener ?? tell);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    asked.push({ method: 'GET', url: request.url ?? '', headers: request.headers, rawHeaders: request.rawHeaders, body: '' });
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nSec-WebSocket-Protocol: theirs\r\n\r\n');
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  return { port: (server.address() as AddressInfo).port, server, asked };
}

type GivenApps = Parameters<ReturnType<typeof given>['agent']>[0]['apps'];

/** A running workspace with a connected agent and the given apps, whose hosts lie under the test deployment's domain. */
export async function workspaceWithApps(server: TestServer, { url, apps, maxPortShareLevel = 'public' }: WorkspaceWithApps) {
  const rows = given(server.prisma);
  const made = await rows.workspace({ status: 'running' });
  await server.prisma.template.update({ where: { id: made.workspace.templateId }, data: { maxPortShareLevel } });
  const { agent, token } = await rows.agent({ jobId: made.job.id, ...(apps === undefined ? {} : { apps }) });
  const fake = await connectFakeAgent({ url, token });
  const hostOf = (slugOrPort: string | number): string =>
    `${slugOrPort}--${agent.name}--${made.workspace.name}--${made.owner.username}.apps.berth.test`.toLowerCase();
  return {
    ...made,
    rows,
    agent,
    fake,
    hostOf,
    pathOf: (slug: string): string => `/@${made.owner.username}/${made.workspace.name}/apps/${slug}/`,
    key: await server.keyOf(made.owner.id),
  };
}

interface WorkspaceWithApps {
  readonly url: string;
  readonly apps?: GivenApps;
  readonly maxPortShareLevel?: string;
}

export interface Ask {
  readonly port: number;
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Told {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** One request for any host, over a connection to the server under test; redirects are not followed. */
export async function ask({ port, host, path = '/', method = 'GET', headers = {}, body }: Ask): Promise<Told> {
  const request = httpRequest({ host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false });
  request.end(body);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('no answer');
  return { status: response.statusCode ?? 0, headers: response.headers, rawHeaders: response.rawHeaders, body: await text(response) };
}

/** What an app says that it was asked. */
export async function askApp(question: Ask): Promise<Asked> {
  const { status, body } = await ask(question);
  if (status !== 201) throw new Error(`the app was not reached: ${status} ${body}`);
  return JSON.parse(body);
}

export const BROWSER = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };

/** Sends these very bytes, and answers with all that comes back. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return text(socket);
}

/** Opens an echoing connection to an app; rejects with the status when it is refused. */
export async function openEcho({ port, host, path = '/', headers = {} }: Ask): Promise<Duplex> {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    headers: { host, connection: 'Upgrade', upgrade: 'echo', ...headers },
  });
  request.end();
  return new Promise((resolve, reject) => {
    request.once('upgrade', (_, socket) => {
      socket.on('error', () => undefined);
      resolve(socket);
    });
    request.once('response', (response) => {
      response.resume();
      reject(new Error(String(response.statusCode)));
    });
    request.once('error', reject);
  });
}

/** Says something and hears it again. */
export async function echoed(socket: Duplex, word: string): Promise<string> {
  socket.write(word);
  const [heard] = await once(socket, 'data');
  return String(heard);
}
