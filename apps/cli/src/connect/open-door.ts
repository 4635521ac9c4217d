import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { DomainError } from '@berth/core';
import { ByteSocket, tunnelDialOptions } from '@berth/protocol/tunnel';
import { WebSocket } from 'ws';
import { z } from 'zod';

import type { Session } from '../frame/connect.ts';
import { unreachable } from '../frame/errors.ts';
import { kindOfStatus } from '../frame/exit-codes.ts';
import { VERSION } from '../frame/version.ts';

const HANDSHAKE_MS = 15_000;
const ANSWER_MAX_BYTES = 64 * 1024;

const Refusal = z.object({ message: z.string(), detail: z.string().optional() });

/**
 * Opens one of the server's WebSockets that carry bytes, such as `/api/v2/workspaceagents/{id}/tcp?port=80`. What the server refuses is a
 * `DomainError` of its kind; no answer is any other error.
 */
export function openDoor({ url, token }: Pick<Session, 'url' | 'token'>, path: string, signal: AbortSignal): Promise<Duplex> {
  const address = `${url}${path}`.replace(/^http/, 'ws');
  const socket = new WebSocket(address, {
    ...tunnelDialOptions(address),
    headers: { 'service-session-token': token, 'user-agent': `berth-cli/${VERSION}` },
    handshakeTimeout: HANDSHAKE_MS,
    followRedirects: false,
  });
  return new Promise<Duplex>((resolve, reject) => {
    const settle = (): void => signal.removeEventListener('abort', giveUp);
    const giveUp = (): void => {
      settle();
      reject(signal.reason instanceof Error ? signal.reason : new Error('Gave up connecting.'));
      socket.terminate();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('unexpected-response', (request, response) => {
      settle();
      void refusal(response)
        .then(reject, reject)
        .finally(() => request.destroy());
    });
    socket.on('error', (error) => {
      settle();
      reject(unreachable(error));
    });
    socket.once('open', () => {
      settle();
      resolve(new ByteSocket(socket));
    });
    if (signal.aborted) giveUp();
  });
}

/** The server's refusal in its own words. Any other status comes from a proxy in between and is temporary, so it is `unavailable`. */
async function refusal(response: IncomingMessage): Promise<DomainError> {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > ANSWER_MAX_BYTES) break;
    chunks.push(chunk);
  }
  const said = Refusal.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  const message = said.success ? [said.data.message, said.data.detail ?? ''].join(' ').trim() : `The server answered ${status}.`;
  const kind = kindOfStatus(status);
  return new DomainError(kind === 'internal' ? 'unavailable' : kind, message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
