import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketClient } from '@berth/client';
import { createSocketClient } from '@berth/client';
import { TUNNEL_PATH, TUNNEL_WEBSOCKET_OPTIONS, TunnelError, serveTunnel } from '@berth/protocol/tunnel';
import { WebSocket } from 'ws';
import { benchId, buildNumberOf, isRunning } from '../dataset/ids.ts';

/**
 * Plays many agents in one process, each with its own two connections, as the real agent has: typed calls on one WebSocket, the
 * reverse tunnel on another. Each says hello, becomes ready and reports its metadata every ten seconds.
 */

const METADATA_EVERY_MS = 10_000;
const KEYS = [1, 2, 3, 4];
/** Agents that dial at the same time. */
const DIAL_AT_ONCE = 20;

const [url = '', wanted = '0'] = process.argv.slice(2);

function tokens(count: number): string[] {
  const found: string[] = [];
  for (let w = 1; found.length < count; w++) if (isRunning(w)) found.push(benchId('token', buildNumberOf(w, 5)));
  return found;
}

async function openTunnel(token: string): Promise<void> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${TUNNEL_PATH}`, {
    headers: { 'service-session-token': token },
    ...TUNNEL_WEBSOCKET_OPTIONS,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      serveTunnel(socket, {
        pty: () => Promise.reject(new TunnelError('rejected', 'A simulated agent has no shell.')),
        tcp: () => Promise.reject(new TunnelError('refused', 'A simulated agent has no ports.')),
        listeningPorts: () => Promise.resolve([]),
      });
      resolve();
    });
    socket.once('error', reject);
  });
}

async function runAgent(token: string): Promise<void> {
  const { client } = createSocketClient({ url, headers: { 'service-session-token': token }, WebSocket });
  await client.agentApi.manifest.query({});
  await client.agentApi.reportStartup.mutate({ version: 'v0.1.0', expanded_directory: '/home/dev', subsystems: [] });
  await openTunnel(token);
  await client.agentApi.reportLifecycle.mutate({ state: 'ready', changed_at: new Date().toISOString() });
  void report(client);
}

async function report(client: SocketClient['client']): Promise<void> {
  // Spread over the interval, as agents that started at different times are.
  await sleep(Math.random() * METADATA_EVERY_MS);
  for (;;) {
    const collectedAt = new Date().toISOString();
    const metadata = KEYS.map((key) => ({
      key: `key_${key}`,
      value: `${Math.random().toFixed(4)} load`,
      error: '',
      collected_at: collectedAt,
    }));
    await client.agentApi.reportMetadata.mutate({ metadata });
    await sleep(METADATA_EVERY_MS);
  }
}

const waiting = tokens(Number(wanted));
await Promise.all(
  Array.from({ length: DIAL_AT_ONCE }, async () => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) await runAgent(token);
  }),
);
process.send?.('connected');
