import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';

import { packAgent } from '@berth/protocol/agent-delivery';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { fakeServer, id, SCRIPT_DEFAULTS } from '../fake-server.ts';
import type { FakeServer } from '../fake-server.ts';

const LIMIT_MS = 60_000;
const BUNDLE = /^\/bin\/berth-agent-linux-(?:amd64|arm64)\.tar\.gz$/;

let base = '';
/** A build of this very source, and the same as another version says. */
let current = '';
let next: Buffer;

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'berth-update-'));
  current = path.join(base, 'current');
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, '../../build.mjs'), current]);
  const newer = path.join(base, 'newer');
  await cp(current, newer, { recursive: true });
  for (const file of await readdir(newer)) {
    if (!file.endsWith('.mjs')) continue;
    const text = await readFile(path.join(newer, file), 'utf8');
    await writeFile(path.join(newer, file), text.replace(/version: ?"0\.\d+\.\d+"/, 'version:"0.99.0"'));
  }
  next = await packed(newer);
}, LIMIT_MS);
afterAll(() => rm(base, { recursive: true, force: true }));

async function packed(agentDir: string, nodeBinary = process.execPath): Promise<Buffer> {
  const tar = pack();
  const chunks: Buffer[] = [];
  void packAgent(tar, { agentDir, nodeBinary }).then(() => tar.finalize());
  await pipeline(tar, createGzip({ level: 1 }), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly said: () => string;
}

/** The built agent as a process, in a folder of its own, as the start script puts it there. */
async function start(server: FakeServer, env: Record<string, string> = {}): Promise<Running> {
  const folder = await mkdtemp(path.join(base, 'run-'));
  await cp(current, path.join(folder, 'agent'), { recursive: true });
  const tmp = path.join(folder, 'tmp');
  await mkdir(tmp);
  const child = spawn(process.execPath, [path.join(folder, 'agent', 'agent.mjs')], {
    cwd: folder,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder,
      TMPDIR: tmp,
      BERTH_AGENT_URL: server.url,
      BERTH_AGENT_TOKEN: 'secret-token',
      BERTH_AGENT_UPDATE_SECONDS: '0.05',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    server.close();
  });
  return { child, folder, said: () => said.join('') };
}

async function until(server: FakeServer, agent: Running, predicate: () => boolean): Promise<void> {
  try {
    await vi.waitUntil(predicate, { timeout: LIMIT_MS - 5000, interval: 20 });
  } catch {
    throw new Error(
      `It did not come to that. The agent said:\n${agent.said()}\nThe server heard ${JSON.stringify(server.heard.lifecycles)}`,
    );
  }
}

const versions = (server: FakeServer) => server.heard.startups.map(({ version }) => version);
const environmentOf = (pid: number): string => readFileSync(`/proc/${pid}/environ`, 'utf8');

describe.runIf(process.platform === 'linux')('an agent whose server was updated', () => {
  test(
    'becomes the new version in its own process: what runs in the workspace goes on, and nothing is done twice',
    async () => {
      const server = await fakeServer({
        server_version: 'v0.99.0',
        metadata: [{ key: 'beat', display_name: '', script: 'echo $$', interval: 1, timeout: 1 }],
        scripts: [
          {
            ...SCRIPT_DEFAULTS,
            id: id(1),
            log_source_id: id(2),
            run_on_start: true,
            script:
              'echo run >> $HOME/runs; (i=0; while [ ! -e $HOME/enough ]; do i=$((i+1)); echo line $i; sleep 0.02; done; echo $i > $HOME/count; echo over) & echo $! > $HOME/background; echo $GIT_ASKPASS > $HOME/askpass; exit 0',
          },
          { ...SCRIPT_DEFAULTS, id: id(3), log_source_id: id(4), run_on_stop: true, script: 'echo goodbye' },
        ],
      });
      server.serveFile(BUNDLE, next);
      const agent = await start(server);
      const pid = agent.child.pid ?? 0;
      await until(server, agent, () => versions(server).includes('v0.99.0'));

      // The same process, with the same children, and no secret where the programs of the workspace find it.
      expect(agent.child.exitCode).toBeNull();
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('agent-v0.99.0/agent/agent.mjs');
      const background = Number(await readFile(path.join(agent.folder, 'background'), 'utf8'));
      expect(environmentOf(background)).not.toContain('secret-token');
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('secret-token');
      expect((await readFile(path.join(agent.folder, 'askpass'), 'utf8')).trim()).not.toBe('');

      const metadataSoFar = server.heard.metadata.length;
      const linesSoFar = server.lines(id(2)).length;
      await until(server, agent, () => server.lines(id(2)).length > linesSoFar && server.heard.metadata.length > metadataSoFar);
      await writeFile(path.join(agent.folder, 'enough'), '');
      await until(server, agent, () => server.lines(id(2)).includes('over'));
      const count = Number(await readFile(path.join(agent.folder, 'count'), 'utf8'));
      const lines = server.lines(id(2)).filter((line) => line.startsWith('line '));
      expect(lines).toEqual(Array.from({ length: count }, (_, i) => `line ${i + 1}`));
      expect(await readFile(path.join(agent.folder, 'runs'), 'utf8')).toBe('run\n');
      expect(server.heard.lifecycles).toEqual(['starting', 'ready']);
      expect(server.heard.scripts).toMatchObject([{ status: 'pipes_left_open' }]);
      expect(new Set(server.heard.tokens)).toEqual(new Set(['secret-token']));
      const terminal = await (await server.tunnel()).openPty({ id: id(9), width: 80, height: 24, command: 'echo from-$((6*7))' });
      let shown = '';
      for await (const chunk of terminal) shown += String(chunk);
      expect(shown).toContain('from-42');

      const ended = once(agent.child, 'exit');
      agent.child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      expect(server.heard.lifecycles).toEqual(['starting', 'ready', 'shutting_down', 'off']);
      expect(server.lines(id(4))).toEqual(['goodbye']);
      // Nothing is left behind but the program.
      expect((await readdir(path.join(agent.folder, 'tmp'))).filter((name) => /^berth-(?:git|agent-)/.test(name))).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'waits for those who work in a terminal',
    async () => {
      const server = await fakeServer({ server_version: 'v0.99.0' });
      const agent = await start(server);
      const terminal = await (await server.tunnel()).openPty({ id: id(9), width: 80, height: 24, command: 'read line; echo got $line' });
      server.serveFile(BUNDLE, next);
      await until(server, agent, () => agent.said().includes('takes over as soon as'));
      expect(versions(server)).toEqual([versions(server)[0]]);
      terminal.write('on\n');
      let shown = '';
      for await (const chunk of terminal) shown += String(chunk);
      expect(shown).toContain('got on');
      await until(server, agent, () => versions(server).includes('v0.99.0'));
    },
    LIMIT_MS,
  );

  test(
    'goes on as it is when the new version cannot be had, and says why',
    async () => {
      const [own, server] = [await packed(current), await fakeServer({ server_version: 'v0.99.0' })];
      const agent = await start(server);
      await until(server, agent, () => agent.said().includes('could not be fetched (attempt 1 of 5)'));
      expect(agent.said()).toContain('answered 404');
      server.serveFile(BUNDLE, own);
      await until(server, agent, () => agent.said().includes('could not be fetched in 5 attempts'));
      expect(agent.said()).toContain('is not version v0.99.0');
      expect(agent.child.exitCode).toBeNull();
      expect(server.heard.lifecycles).toEqual(['starting', 'ready']);
      expect((await readdir(agent.folder)).filter((name) => /^new-|^agent-/.test(name))).toEqual([]);
      expect(await (await server.tunnel()).listeningPorts()).toBeTruthy();
    },
    LIMIT_MS,
  );

  test(
    'stays what it is when it was told to',
    async () => {
      const server = await fakeServer({ server_version: 'v0.99.0' });
      server.serveFile(BUNDLE, next);
      const agent = await start(server, { BERTH_AGENT_UPDATE: 'false' });
      await until(server, agent, () => server.heard.lifecycles.includes('ready'));
      expect(agent.said()).not.toContain('will be updated');
      expect(server.asked).toEqual([]);
    },
    LIMIT_MS,
  );
});
