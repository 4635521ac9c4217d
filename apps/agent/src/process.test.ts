import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import ssh2 from 'ssh2';
import { expect, onTestFinished, test } from 'vitest';

import { fakeServer, id, SCRIPT_DEFAULTS } from './fake-server.ts';

test('the built folder runs anywhere: a terminal opens, SSH is served, a broken pipe is borne, and SIGTERM, even twice, stops the workspace', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-agent-build-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dist = path.join(folder, 'agent');
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, '../build.mjs'), dist]);

  const server = await fakeServer({
    scripts: [{ ...SCRIPT_DEFAULTS, id: id(1), log_source_id: id(2), script: 'sleep 0.5; echo goodbye', run_on_stop: true }],
  });
  const agent = spawn(process.execPath, [path.join(dist, 'agent.mjs')], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, BERTH_AGENT_URL: server.url, BERTH_AGENT_TOKEN: 'process-token' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    agent.kill('SIGKILL');
    server.close();
  });
  // As when whoever started it has died.
  agent.stdout.destroy();
  agent.stderr.destroy();

  await server.until(() => server.heard.lifecycles.includes('ready'));
  expect(server.heard.tokens).toContain('process-token');
  const terminal = await (await server.tunnel()).openPty({ id: id(3), width: 80, height: 24, command: 'echo from-$((6*7))' });
  let shown = '';
  for await (const chunk of terminal) shown += String(chunk);
  expect(shown).toContain('from-42');
  expect(await overSsh(await (await server.tunnel()).connectSsh({ holder: id(4) }), 'echo over-$((6*7))')).toBe('over-42\n');

  agent.kill('SIGHUP');
  agent.kill('SIGTERM');
  const ended = once(agent, 'exit');
  await server.until(() => server.heard.lifecycles.includes('shutting_down'));
  agent.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  expect(code).toBe(0);
  expect(server.heard.lifecycles).toEqual(['starting', 'ready', 'shutting_down', 'off']);
  expect(server.lines()).toEqual(['goodbye']);
}, 30_000);

/** What a command says over an SSH connection. */
async function overSsh(sock: Duplex, command: string): Promise<string> {
  const client = new ssh2.Client();
  client.on('error', () => undefined);
  client.connect({ sock, username: 'ada' });
  await once(client, 'ready');
  const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
    client.exec(command, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const said = await text(channel);
  client.end();
  return said;
}
