import { createSocketClient, errorOf } from '@berth/client';
import type { Client, ClientErrorKind } from '@berth/client';
import { AgentManifest } from '@berth/protocol/agent';
import type { ReportStartup } from '@berth/protocol/agent';
import { WebSocket } from 'ws';

import type { Log } from './log.ts';
import { pause } from './timing.ts';

const CALL_TIMEOUT_MS = 30_000;
/** Refusals that may pass by themselves. A server or a database that is away is waited out for ever: the workspace outlives them. */
const RETRIED: readonly ClientErrorKind[] = ['internal', 'rate_limited'];
const UNAVAILABLE_PAUSE_MS = 1000;
const REFUSALS_MAX = 10;

/** The part of the router that an agent calls. */
export type AgentApi = Client['agentApi'];

export interface Session {
  /** What the server says this agent is; the same for the life of the process. */
  readonly manifest: Promise<AgentManifest>;
  /**
   * Calls until the server has answered: again after each lost connection and while its database is away, ten times when the server
   * fails. Throws what the server refuses, and when the session is closed.
   */
  deliver<T>(call: (api: AgentApi, signal: AbortSignal) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly url: string;
  readonly token: string;
  readonly log: Log;
  /** Called for each connection that opened. */
  readonly onOpen: () => void;
  /** Called with what the server says at each connection. */
  readonly onManifest?: (manifest: AgentManifest) => void;
  /** What to say of ourselves at each connection, once the manifest is known. */
  readonly startup: (manifest: AgentManifest) => ReportStartup;
}

/** Dials the server, and again for as long as the process lives. */
export function openSession({ url, token, log, onOpen, onManifest, startup }: SessionOptions): Session {
  const known = Promise.withResolvers<AgentManifest>();
  const stop = new AbortController();
  let connection = 0;
  let isGreeted = false;

  const socket = createSocketClient({
    url,
    headers: { 'service-session-token': token },
    WebSocket,
    onOpen: () => {
      connection += 1;
      onOpen();
      void greet(connection);
    },
    onClose: () => {
      if (isGreeted) log('warn', 'The server is gone; dialling again');
      isGreeted = false;
    },
  });
  const api = socket.client.agentApi;
  const limited = (): AbortSignal => AbortSignal.any([stop.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);

  /** Once for each connection; a newer connection takes over from an older one. */
  async function greet(mine: number): Promise<void> {
    for (let tries = 1; mine === connection && !stop.signal.aborted; tries += 1) {
      try {
        const manifest = AgentManifest.parse(await api.manifest.query({}, { signal: limited() }));
        known.resolve(manifest);
        await api.reportStartup.mutate(startup(manifest), { signal: limited() });
        isGreeted = true;
        onManifest?.(manifest);
        log('info', `Connected to ${url} as agent ${manifest.agent_name} of workspace ${manifest.workspace_name}`);
        return;
      } catch (error) {
        if (mine !== connection || stop.signal.aborted) return;
        if (tries % 30 === 1) log('warn', `The server did not take the greeting (${tries} times)`, error);
        await pause(Math.min(10_000, 200 * 2 ** tries), stop.signal);
      }
    }
  }

  async function deliver<T>(call: (api: AgentApi, signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let refusals = 0; ;) {
      stop.signal.throwIfAborted();
      try {
        return await call(api, limited());
      } catch (error) {
        const { kind } = errorOf(error);
        if (stop.signal.aborted) throw error;
        if (kind === 'network') {
          await pause(50, stop.signal);
        } else if (kind === 'unavailable') {
          await pause(UNAVAILABLE_PAUSE_MS, stop.signal);
        } else if (RETRIED.includes(kind) && refusals < REFUSALS_MAX) {
          refusals += 1;
          await pause(Math.min(10_000, 250 * 2 ** refusals), stop.signal);
        } else {
          throw error;
        }
      }
    }
  }

  return {
    manifest: known.promise,
    deliver,
    close: async () => {
      stop.abort();
      await socket.close();
    },
  };
}
