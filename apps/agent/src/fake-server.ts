import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  Ack,
  AgentManifest,
  AgentManifestRequest,
  ReportAppHealth,
  ReportLifecycle,
  ReportLogs,
  ReportLogsResult,
  ReportMetadata,
  ReportScript,
  ReportStartup,
  ReportStats,
  ReportStatsResult,
} from '@berth/protocol/agent';
import { openTunnel, TUNNEL_PATH, TUNNEL_WEBSOCKET_OPTIONS } from '@berth/protocol/tunnel';
import type { Tunnel } from '@berth/protocol/tunnel';
import { initTRPC } from '@trpc/server';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { vi } from 'vitest';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';

/** What the agent said so far, in order. For tests. */
export interface Heard {
  readonly tokens: string[];
  readonly startups: ReportStartup[];
  readonly lifecycles: string[];
  readonly logs: ReportLogs[];
  readonly scripts: ReportScript[];
  readonly metadata: ReportMetadata['metadata'];
  readonly healths: ReportAppHealth['updates'][];
  readonly stats: ReportStats[];
}

export interface FakeServer {
  readonly url: string;
  readonly heard: Heard;
  /** Every output line of a log source so far. */
  lines(sourceId?: string): string[];
  tunnel(): Promise<Tunnel>;
  /** Dies without a word: every connection breaks. */
  crash(): void;
  /** Comes back on the same port. */
  restart(): void;
  close(): void;
  /** Answers requests for paths like this with the bytes; others get 404. */
  serveFile(path: RegExp, content: Buffer): void;
  /** Paths of plain requests so far. */
  readonly asked: string[];
  until(predicate: () => boolean): Promise<void>;
}

export const SCRIPT_DEFAULTS = {
  display_name: 'script',
  cron: '',
  run_on_start: false,
  run_on_stop: false,
  start_blocks_login: false,
  timeout: 0,
  log_path: '',
};

/** An id that is easy to tell from others in a failed test. */
export function id(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** The server as an agent sees it: the same schemas, real WebSockets, a real tunnel. */
export async function fakeServer(given: Partial<AgentManifest>): Promise<FakeServer> {
  const heard: Heard = { tokens: [], startups: [], lifecycles: [], logs: [], scripts: [], metadata: [], healths: [], stats: [] };
  const manifest: AgentManifest = {
    agent_id: id(1),
    agent_name: 'main',
    workspace_id: id(2),
    workspace_name: 'garden',
    owner_username: 'ada',
    directory: '',
    environment: {},
    apps: [],
    scripts: [],
    metadata: [],
    access_url: 'http://berth.example.com',
    motd_file: '',
    ...given,
  };
  const t = initTRPC.create();
  const hears =
    <T>(list: T[]) =>
    (entry: T) => {
      list.push(entry);
      return {};
    };
  const router = t.router({
    agentApi: t.router({
      manifest: t.procedure
        .input(AgentManifestRequest)
        .output(AgentManifest)
        .query(() => manifest),
      reportStartup: t.procedure
        .input(ReportStartup)
        .output(Ack)
        .mutation(({ input }) => hears(heard.startups)(input)),
      reportLifecycle: t.procedure
        .input(ReportLifecycle)
        .output(Ack)
        .mutation(({ input }) => hears(heard.lifecycles)(input.state)),
      reportLogs: t.procedure
        .input(ReportLogs)
        .output(ReportLogsResult)
        .mutation(({ input }) => ({ ...hears(heard.logs)(input), overflowed: false })),
      reportScript: t.procedure
        .input(ReportScript)
        .output(Ack)
        .mutation(({ input }) => hears(heard.scripts)(input)),
      reportMetadata: t.procedure
        .input(ReportMetadata)
        .output(Ack)
        .mutation(({ input }) => {
          heard.metadata.push(...input.metadata);
          return {};
        }),
      reportAppHealth: t.procedure
        .input(ReportAppHealth)
        .output(Ack)
        .mutation(({ input }) => hears(heard.healths)(input.updates)),
      reportStats: t.procedure
        .input(ReportStats)
        .output(ReportStatsResult)
        .mutation(({ input }) => ({ ...hears(heard.stats)(input), interval_ms: 60_000 })),
    }),
  });

  let waiting = Promise.withResolvers<Tunnel>();
  const rpc = new WebSocketServer({ noServer: true });
  applyWSSHandler({ wss: rpc, router, keepAlive: { enabled: true, pingMs: 15_000, pongWaitMs: 15_000 } });
  const tunnels = new WebSocketServer({ noServer: true, ...TUNNEL_WEBSOCKET_OPTIONS });
  tunnels.on('connection', (ws: WebSocket) => {
    openTunnel(ws).then(
      (tunnel) => {
        const mine = waiting;
        mine.resolve(tunnel);
        void tunnel.closed.then(() => {
          if (waiting === mine) waiting = Promise.withResolvers();
        });
      },
      () => undefined,
    );
  });

  // While it is down it keeps its port, which somebody else would take otherwise, and hangs up on everyone.
  let isDown = false;
  const files: { readonly path: RegExp; readonly content: Buffer }[] = [];
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    const file = files.findLast(({ path }) => path.test(request.url ?? ''));
    response.writeHead(file === undefined ? 404 : 200).end(file?.content);
  });
  server.on('connection', (socket) => {
    if (isDown) socket.destroy();
  });
  server.on('upgrade', (request, socket, head) => {
    heard.tokens.push(String(request.headers['service-session-token']));
    const target = request.url === TUNNEL_PATH ? tunnels : rpc;
    target.handleUpgrade(request, socket, head, (ws) => target.emit('connection', ws, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    lines: (sourceId) =>
      heard.logs
        .filter((report) => sourceId === undefined || report.log_source_id === sourceId)
        .flatMap(({ logs }) => logs.map(({ output }) => output)),
    tunnel: () => waiting.promise,
    serveFile: (path, content) => void files.push({ path, content }),
    asked,
    crash: () => {
      isDown = true;
      waiting = Promise.withResolvers();
      for (const ws of [...rpc.clients, ...tunnels.clients]) ws.terminate();
    },
    restart: () => {
      isDown = false;
    },
    close: () => {
      for (const ws of [...rpc.clients, ...tunnels.clients]) ws.terminate();
      server.close();
    },
    until: async (predicate) => {
      await vi.waitUntil(predicate, { timeout: 10_000, interval: 10 });
    },
  };
}
