import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@berth/db/embedded';
import { openClient } from '@berth/db/session';
import { expect, test } from '@playwright/test';
import type { RawData } from 'ws';
import { WebSocket } from 'ws';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Berth, startBerth } from './berth.ts';
import { makeOwner } from './people.ts';
import { agentIdOf, installTemplate, settled } from './provisioning.ts';

const CLI = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url));
/** Seconds, on a machine that has other work too; what it took is printed. */
const FAILOVER_MS = 30_000;

const templateWith = (appPort: number): string => `
version: 1
name: Echo
resources:
  - name: box
    type: process
    agent:
      name: main
      directory: '~'
      apps:
        - slug: web
          display_name: Web
          url: http://localhost:${appPort}
`;

/** An app of the workspace, whose ports are the machine's: tells the path, and echoes on an upgrade. */
async function startApp(): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => response.end(`app at ${request.url}`));
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** One visit of the app: a page, and words that come back over an upgraded connection. */
async function visitApp(url: string, token: string): Promise<void> {
  const headers = { 'service-session-token': token };
  const page = await fetch(`${url}/@ada/harbour.main/apps/web/page`, { headers, signal: AbortSignal.timeout(5000) });
  if (!page.ok || (await page.text()) !== 'app at /page') throw new Error(`The app answered ${page.status}.`);
  await new Promise<void>((resolve, reject) => {
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const asked = httpRequest(`${url}/@ada/harbour.main/apps/web/socket`, { headers: { ...headers, ...upgrade }, timeout: 5000 });
    asked.on('timeout', () => asked.destroy(new Error('The app did not take the upgrade.')));
    asked.on('error', reject);
    asked.on('response', (response) => reject(new Error(`The upgrade was answered with ${response.statusCode}.`)));
    asked.on('upgrade', (_, socket) => {
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The upgraded connection closed.')));
      socket.on('data', () => {
        resolve();
        socket.destroy();
      });
      socket.write('words');
    });
    asked.end();
  });
}

/** Types a line into a terminal, and answers what it then says that matches. */
async function inTerminal(url: string, { agentId, token, id }: { agentId: string; token: string; id: string }): Promise<string> {
  const path = `/api/v2/workspaceagents/${agentId}/pty?reconnect=${id}&width=80&height=24`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: { 'service-session-token': token } });
  const word = randomBytes(6).toString('hex');
  let text = '';
  try {
    return await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The terminal said nothing of it: ${text}`)), 8000);
      socket.on('message', (data: RawData) => {
        text += Buffer.isBuffer(data) ? data.toString() : '';
        const said = new RegExp(`${word} pid=(\\d+)\\.`).exec(text)?.[1];
        if (said === undefined) return;
        clearTimeout(timer);
        resolve(said);
      });
      socket.once('open', () => socket.send(JSON.stringify({ data: `echo ${word} "pid=$$."\r` })));
      socket.once('close', (code, reason) => reject(new Error(`The terminal closed: ${code} ${reason.toString()}`)));
      socket.once('error', reject);
    });
  } finally {
    socket.close();
  }
}

interface SshSession {
  /** The numbers that it has counted so far. */
  ticks(): number[];
  readonly said: () => string;
  readonly process: ChildProcess;
}

/** A command over SSH that counts until its standard input ends. */
function countOverSsh(url: string, token: string): SshSession {
  const script = 'n=0; while [ "$n" -lt 100000 ]; do n=$((n + 1)); echo "tick $n"; sleep 0.05; done';
  const child = spawn(process.execPath, [CLI, 'ssh', 'harbour', '--', script], {
    env: { PATH: process.env['PATH'], HOME: tmpdir(), BERTH_URL: url, BERTH_SESSION_TOKEN: token, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return {
    ticks: () => [...out.matchAll(/^tick (\d+)$/gm)].map(([, tick]) => Number(tick)),
    said: () => errors,
    process: child,
  };
}

async function counted(session: SshSession): Promise<void> {
  const before = session.ticks().length;
  await expect.poll(() => session.ticks().length, { timeout: FAILOVER_MS, message: session.said() }).toBeGreaterThan(before + 10);
}

/** Tries until it works; milliseconds from `since` to then. */
async function worksAgain(since: number, attempt: () => Promise<unknown>): Promise<number> {
  for (;;) {
    try {
      await attempt();
      return Math.round(performance.now() - since);
    } catch (error) {
      if (performance.now() - since > FAILOVER_MS) throw error;
      await sleep(100);
    }
  }
}

/** Two servers on one database behind a balancer, as `docs/guides/replicas.md` has it. */
async function startReplicas(folder: string) {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: false });
  const balancer: Balancer = await startBalancer();
  const env = {
    BERTH_DATABASE_URL: postgres.url,
    BERTH_ACCESS_URL: balancer.url,
    BERTH_SEALING_KEYS: randomBytes(32).toString('base64'),
  };
  const first = await startBerth({ env });
  const second = await startBerth({ env: { ...env, BERTH_PROVISIONER_DAEMONS: '0' } });
  const database = await openClient({ connectionString: postgres.url });
  return {
    balancer,
    first,
    second,
    /** The relay address of the server that holds an agent's tunnel. */
    holderOf: async (agentId: string): Promise<string | undefined> => {
      const { rows } = await database.query<{ address: string }>(
        'SELECT r.relay_address AS address FROM workspace_agents a JOIN replicas r ON r.id = a.replica_id WHERE a.id = $1',
        [agentId],
      );
      return rows[0]?.address;
    },
    dispose: async () => {
      await database.end();
      for (const berth of [second, first]) await berth.dispose();
      await balancer.close();
      await postgres.stop();
    },
  };
}

const portOf = ({ url }: Berth): number => Number(new URL(url).port);

test('a terminal, an app and SSH work through either server, and go on when the one that holds the agent is killed', async () => {
  test.skip(process.platform !== 'linux', 'workspaces of this test run on this machine');
  test.setTimeout(240_000);
  const folder = await mkdtemp(join(tmpdir(), 'berth-e2e-replicas-'));
  const app = await startApp();
  const { balancer, first, second, holderOf, dispose } = await startReplicas(folder);
  const sessions: SshSession[] = [];
  try {
    // The agent dials the balancer, which sends it to the second server.
    balancer.prefer([portOf(second), portOf(first)]);
    const owner = await makeOwner(first);
    const { client, token } = owner;
    const template = await installTemplate({ berth: first, owner, name: 'echo', yaml: templateWith(app.port) });
    const made = await client.workspaces.create.mutate({ user: 'me', name: 'harbour', template_id: template });
    const agentId = agentIdOf(await settled(client, made.id));
    await expect.poll(() => holderOf(agentId), { timeout: FAILOVER_MS }).toBe(second.url);
    expect((await client.replicas.list.query({})).map(({ error, relay_address }) => [error, relay_address])).toEqual([
      ['', first.url],
      ['', second.url],
    ]);

    const terminal = { agentId, token, id: randomUUID() };
    const shell = await inTerminal(first.url, terminal);
    await test.step('through either server', async () => {
      for (const { url } of [first, second]) {
        expect(await inTerminal(url, terminal), 'the same shell').toBe(shell);
        await visitApp(url, token);
      }
      // One that goes by the server that will stay, and one by the one that will not.
      sessions.push(countOverSsh(first.url, token), countOverSsh(balancer.url, token));
      for (const session of sessions) await counted(session);
    });

    await test.step('over the death of the one that holds the agent', async () => {
      const before = sessions.map((session) => session.ticks().length);
      await second.kill();
      const killedAt = performance.now();
      const took = {
        terminal: worksAgain(killedAt, async () => expect(await inTerminal(balancer.url, terminal)).toBe(shell)),
        app: worksAgain(killedAt, () => visitApp(balancer.url, token)),
        'ssh by the other server': worksAgain(killedAt, async () =>
          expect(sessions[0]?.ticks().length).toBeGreaterThan((before[0] ?? 0) + 20),
        ),
        'ssh by the killed server': worksAgain(killedAt, async () =>
          expect(sessions[1]?.ticks().length).toBeGreaterThan((before[1] ?? 0) + 20),
        ),
      };
      for (const [what, millis] of Object.entries(took)) {
        const description = `${what} after ${await millis} ms`;
        process.stdout.write(`  goes on: ${description}\n`);
        test.info().annotations.push({ type: 'goes on', description });
      }
      expect(await holderOf(agentId)).toBe(first.url);
    });

    await test.step('through a server that came anew', async () => {
      await second.start();
      for (const { url } of [first, second]) {
        await worksAgain(performance.now(), async () => expect(await inTerminal(url, terminal)).toBe(shell));
        await visitApp(url, token);
      }
      for (const session of sessions) {
        await counted(session);
        const ticks = session.ticks();
        expect(ticks, 'no line of the session is lost or doubled').toEqual(ticks.map((_, at) => at + 1));
        expect(session.process.exitCode).toBeNull();
      }
    });

    await test.step('servers end cleanly', async () => {
      await second.stop();
      expect((await client.replicas.list.query({})).map(({ relay_address }) => relay_address)).toEqual([first.url]);
      for (const session of sessions) session.process.kill('SIGKILL');
      await first.stop();
      for (const { log } of [first, second]) expect(log()).not.toContain('after calling end');
    });
  } finally {
    for (const session of sessions) session.process.kill('SIGKILL');
    app.close();
    await dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
