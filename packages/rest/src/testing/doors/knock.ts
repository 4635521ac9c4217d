import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { textOf, upgrade } from '../live.ts';

/** `open`: it opened. Otherwise the status of the refusal, or the code of a close that says so. */
export type DoorOutcome = string;
export type Headers = Readonly<Record<string, string>>;

/** A WebSocket that is refused before its upgrade, or not at all. */
export async function knockSocket(url: string, headers: Headers): Promise<DoorOutcome> {
  const { outcome, socket } = await upgrade(url, headers);
  socket.terminate();
  return String(outcome);
}

/** A WebSocket that says something at once to who may listen, and is closed with a code to who may not. */
export async function knockListening(url: string, headers: Headers, subscription?: object): Promise<DoorOutcome> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  socket.on('error', () => undefined);
  const outcome = await new Promise<DoorOutcome>((resolve) => {
    socket.once('unexpected-response', (_, response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    socket.once('close', (code) => resolve(String(code)));
    if (subscription !== undefined) socket.once('open', () => socket.send(JSON.stringify(subscription)));
    socket.once('message', (data) => resolve(/"httpStatus":(\d+)/.exec(textOf(data))?.[1] ?? 'open'));
  });
  socket.terminate();
  return outcome;
}

/** Server-sent events: what the stream says first, or its status. */
export async function knockEvents(url: string, headers: Headers): Promise<DoorOutcome> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: abort.signal });
  let outcome = String(response.status);
  if (response.status === 200) {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      outcome = /"httpStatus":(\d+)/.exec(text)?.[1] ?? (/event: (?:data|connected)/.test(text) ? 'open' : outcome);
      if (outcome !== '200') break;
    }
  }
  abort.abort();
  return outcome;
}

export interface Visit {
  readonly url: string;
  /** The Host header, where it is not that of the address. */
  readonly host?: string;
  readonly path: string;
  readonly headers: Headers;
}

/** Asks for a page as a program does, under any Host. */
export async function visit({
  url,
  host,
  path,
  headers,
}: Visit): Promise<{ status: number; body: string; headers: IncomingMessage['headers'] }> {
  const asked = httpRequest(`${url}${path}`, { agent: false, headers: { ...headers, ...(host === undefined ? {} : { host }) } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, body, headers: response.headers };
}

export async function knockPage(asked: Visit): Promise<DoorOutcome> {
  const { status } = await visit(asked);
  return status < 300 ? 'open' : String(status);
}

/** Asks to upgrade under any Host; the connection is the caller’s to close. */
export async function upgradePage({ url, host, path, headers }: Visit): Promise<{ status: number; socket: Duplex | null }> {
  const asked = httpRequest(`${url}${path}`, {
    agent: false,
    headers: { ...headers, ...(host === undefined ? {} : { host }), connection: 'Upgrade', upgrade: 'echo' },
  }).end();
  return new Promise((resolve, reject) => {
    asked.once('error', reject);
    asked.once('upgrade', (response, socket) => resolve({ status: response.statusCode ?? 0, socket }));
    asked.once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, socket: null });
    });
  });
}

export async function knockUpgrade(asked: Visit): Promise<DoorOutcome> {
  const { status, socket } = await upgradePage(asked);
  socket?.destroy();
  return status === 101 ? 'open' : String(status);
}
