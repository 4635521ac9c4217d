import { createSocketClient, errorOf } from '@berth/client';
import type { SocketClientOptions } from '@berth/client';
import { WebSocket } from 'ws';
import { downloadArchive } from './archive.ts';
import type { Log } from './log.ts';
import { KeyRejected, LeaseLost, Refused } from './server.ts';
import type { ProvisionerServer } from './server.ts';

export interface RpcServerOptions {
  readonly serverUrl: string;
  readonly key: string;
  readonly log: Log;
}

/** How often a server that stays unreachable is logged. */
const UNREACHABLE_LOG_MS = 60_000;

/** Longer than the server should ever take; a call that hangs is then made again. */
const CALL_MS = 20_000;
/** Beyond what a long poll was asked to wait. */
const POLL_SLACK_MS = 10_000;

/** The server as seen over its WebSocket, with this daemon's key. `close` ends the connection. */
export function connectServer({ serverUrl, key, log }: RpcServerOptions): { server: ProvisionerServer; close(): Promise<void> } {
  const { client, close } = createSocketClient({
    url: serverUrl,
    headers: { 'Service-Provisioner-Key': key },
    WebSocket,
    ...connectionLog(serverUrl, log),
  });
  const api = client.provisionerApi;
  const within = () => ({ signal: AbortSignal.timeout(CALL_MS) });
  return {
    close,
    server: {
      registerDaemon: (input) => translate(api.registerDaemon.mutate(input, within())),
      drainDaemon: async (input) => void (await translate(api.drainDaemon.mutate(input, within()))),
      acquireJob: (input, signal) => {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(input.wait_ms + POLL_SLACK_MS)]);
        return translate(api.acquireJob.mutate(input, { signal: limit }));
      },
      heartbeat: (input) => translate(api.heartbeat.mutate(input, within())),
      planned: (input) => translate(api.planned.mutate(input, within())),
      completeImport: async (input) => void (await translate(api.completeImport.mutate(input, within()))),
      completeBuild: async (input) => void (await translate(api.completeBuild.mutate(input, within()))),
      completeDryRun: async (input) => void (await translate(api.completeDryRun.mutate(input, within()))),
      failJob: async (input) => void (await translate(api.failJob.mutate(input, within()))),
      downloadFile: (fileId, signal) => downloadArchive({ serverUrl, key }, fileId, signal),
    },
  };
}

/** Logs at once that the server cannot be reached, then once a minute, and when it can be reached again. */
function connectionLog(url: string, log: Log): Pick<SocketClientOptions, 'onOpen' | 'onRetry'> {
  let loggedAt: number | undefined;
  return {
    onOpen: () => {
      if (loggedAt !== undefined) log('info', 'connected to the server', { url });
      loggedAt = undefined;
    },
    onRetry: ({ reason, delayMs }) => {
      const now = performance.now();
      if (loggedAt !== undefined && now - loggedAt < UNREACHABLE_LOG_MS) return;
      loggedAt = now;
      log('warn', 'the server cannot be reached; trying again', { url, reason, retry_in_ms: delayMs });
    },
  };
}

/** The server's kinds of refusal in the daemon's own: the lease is lost, the key is wrong, never, not now. */
async function translate<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { kind, message, validations } = errorOf(error);
    switch (kind) {
      case 'conflict':
        throw new LeaseLost(message, { cause: error });
      case 'unauthenticated':
        throw new KeyRejected(message, { cause: error });
      case 'invalid':
      case 'forbidden':
      case 'not_found':
      case 'too_large':
        throw new Refused([message, ...validations.map(({ field, detail }) => `${field}: ${detail}`)].join(' '), { cause: error });
      default:
        throw error;
    }
  }
}
