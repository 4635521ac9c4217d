import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import type { AgentManifest } from '@berth/protocol/agent';
import { describe, expect, onTestFinished, test } from 'vitest';

import { id, SCRIPT_DEFAULTS } from './fake-server.ts';
import { givenAgent, readUntil } from './testing.ts';

const script = (n: number, source: string, more: Partial<AgentManifest['scripts'][number]> = {}) => ({
  ...SCRIPT_DEFAULTS,
  id: id(n),
  log_source_id: id(100 + n),
  script: source,
  run_on_start: true,
  ...more,
});

const pty = { id: id(9), width: 80, height: 24, command: '' };

describe('the start', () => {
  test('the agent authenticates, says what it is, and becomes ready', async () => {
    const { server } = await givenAgent({ directory: '~/$WHERE', environment: { WHERE: 'project' } });
    await server.until(() => server.heard.lifecycles.includes('ready'));
    expect(server.heard.tokens).toEqual(['agent-token', 'agent-token']);
    expect(server.heard.startups).toMatchObject([{ version: 'v0.0.0-test', expanded_directory: expect.stringMatching(/\/project$/) }]);
    expect(server.heard.lifecycles).toEqual(['starting', 'ready']);
  });

  test('start scripts run at once, with the environment of the workspace, and each result is reported', async () => {
    const { server } = await givenAgent({
      environment: { GREETING: 'hello $BERTH_WORKSPACE_NAME$PATH_THAT_IS_NOT', TWICE: '$GREETING' },
      scripts: [
        script(1, 'echo "$BERTH|$BERTH_WORKSPACE_NAME|$BERTH_WORKSPACE_AGENT_NAME|$BERTH_URL|$BERTH_AGENT_TOKEN|$(pwd)"'),
        script(2, 'echo problem >&2; exit 3'),
        script(3, '#!/usr/bin/env sh\necho by an interpreter'),
        script(4, 'echo not now', { run_on_start: false }),
      ],
    });
    await server.until(() => server.heard.scripts.length === 3 && server.heard.lifecycles.length === 2 && server.lines().length === 4);
    expect(server.heard.lifecycles).toEqual(['starting', 'start_error']);
    const results = new Map(server.heard.scripts.map((result) => [result.script_id, result]));
    expect(results.get(id(1))).toMatchObject({ exit_code: 0, status: 'ok', stage: 'start' });
    expect(results.get(id(2))).toMatchObject({ exit_code: 3, status: 'exit_failure' });
    expect(results.get(id(3))).toMatchObject({ exit_code: 0, status: 'ok' });
    expect(server.lines(id(101))[0]).toMatch(/^true\|garden\|main\|http:\/\/berth\.example\.com\|\|\/.*berth-agent-test-/);
    expect(server.lines(id(102))).toEqual(['problem', 'The script ended with exit code 3.']);
    expect(server.lines(id(103))).toEqual(['by an interpreter']);
    const levels = server.heard.logs.flatMap(({ logs }) => logs.map(({ output, level }) => [output, level]));
    expect(levels).toContainEqual(['problem', 'error']);
    expect(levels).toContainEqual(['by an interpreter', 'info']);
  });

  test('a script that takes too long is stopped with everything that it started', async () => {
    const { server, home } = await givenAgent({
      scripts: [script(1, `(sleep 30; echo late > ${'$HOME'}/late) & echo $! > $HOME/pid; wait`, { timeout: 1 })],
    });
    await server.until(() => server.heard.scripts.length === 1 && server.heard.lifecycles.length === 2);
    expect(server.heard.scripts[0]).toMatchObject({ status: 'timed_out', exit_code: 255 });
    expect(server.heard.lifecycles).toEqual(['starting', 'start_timeout']);
    const pid = Number(await readFile(path.join(home, 'pid'), 'utf8'));
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
  });

  test('what a script leaves in the background goes on, and its output too', async () => {
    const { server } = await givenAgent({ scripts: [script(1, '(sleep 1; echo from the background) & echo started')] });
    await server.until(() => server.heard.lifecycles.includes('ready'));
    expect(server.heard.scripts[0]).toMatchObject({ status: 'pipes_left_open', exit_code: 0 });
    await server.until(() => server.lines(id(101)).includes('from the background'));
  });

  test('a script with a schedule runs when its time comes', async () => {
    const { server } = await givenAgent({ scripts: [script(1, 'echo tick', { run_on_start: false, cron: '* * * * * *' })] });
    await server.until(() => server.heard.scripts.some(({ stage, status }) => stage === 'cron' && status === 'ok'));
    await server.until(() => server.lines(id(101)).includes('tick'));
  });

  test('a schedule that cannot be read is told to whoever reads the log, and hurts nothing else', async () => {
    const { server } = await givenAgent({ scripts: [script(1, 'echo tick', { run_on_start: false, cron: 'now and then' })] });
    await server.until(() => server.heard.lifecycles.includes('ready'));
    await server.until(() => server.lines(id(101)).some((line) => line.includes('"now and then"')));
  });

  test("a script's output is in its log file too", async () => {
    const { server, home } = await givenAgent({ scripts: [script(1, 'echo kept'), script(2, 'echo there', { log_path: '~/mine.log' })] });
    await server.until(() => server.heard.lifecycles.includes('ready'));
    await expect.poll(() => readFile(path.join(home, 'logs', `berth-script-${id(101)}.log`), 'utf8')).toBe('kept\n');
    await expect.poll(() => readFile(path.join(home, 'mine.log'), 'utf8')).toBe('there\n');
  });

  test('a long line is cut into lines that the server takes', async () => {
    const { server } = await givenAgent({ scripts: [script(1, "head -c 20000 /dev/zero | tr '\\0' x; echo; echo end")] });
    await server.until(() => server.lines(id(101)).includes('end'));
    expect(server.lines(id(101)).map(({ length }) => length)).toEqual([8192, 8192, 3616, 3]);
  });
});

describe('a server that goes away', () => {
  test('scripts are not run again, logs are complete and in order, and the result is reported', async () => {
    const { server, home } = await givenAgent({
      scripts: [script(1, 'echo run >> $HOME/runs; for i in $(seq 1 400); do echo line $i; sleep 0.005; done')],
    });
    await server.until(() => server.lines(id(101)).length > 0);
    server.crash();
    server.restart();
    await server.until(() => server.heard.lifecycles.includes('ready') && server.heard.scripts.length === 1);
    await server.until(() => server.lines(id(101)).includes('line 400'));
    expect([...new Set(server.lines(id(101)))]).toEqual(Array.from({ length: 400 }, (_, i) => `line ${i + 1}`));
    expect(await readFile(path.join(home, 'runs'), 'utf8')).toBe('run\n');
    expect(server.heard.startups.length).toBeGreaterThan(1);
    expect(server.heard.lifecycles).toEqual(['starting', 'ready']);
  });

  test('a terminal and the program in it go on, and show what happened meanwhile', async () => {
    const { server } = await givenAgent();
    const before = await (await server.tunnel()).openPty(pty);
    before.write('X=kept; (sleep 0.3; echo mean""while) &\n');
    await readUntil(before, 'mean""while');
    server.crash();
    server.restart();
    const after = await (await server.tunnel()).openPty(pty);
    const past = await readUntil(after, 'meanwhile');
    expect(past).toContain('X=kept');
    after.write('echo "still $X"\n');
    await readUntil(after, 'still kept');
  });
});

describe('terminals', () => {
  test('a login shell in the workspace, of the size that was asked for', async () => {
    const { server } = await givenAgent();
    const stream = await (await server.tunnel()).openPty({ ...pty, width: 101, height: 33 });
    stream.write('stty size; echo "$TERM-$BERTH_WORKSPACE_NAME"; shopt -q login_shell && echo yes-lo""gin\n');
    const shown = await readUntil(stream, 'yes-login');
    expect(shown).toContain('33 101');
    expect(shown).toContain('xterm-256color-garden');
    stream.resize({ width: 60, height: 20 });
    stream.write('stty size; echo resi""zed\n');
    expect(await readUntil(stream, 'resized')).toContain('20 60');
  });

  test('every viewer sees the same terminal, and a late one what came before', async () => {
    const { server } = await givenAgent();
    const tunnel = await server.tunnel();
    const first = await tunnel.openPty(pty);
    first.write('echo secret-$((6*7))\n');
    await readUntil(first, 'secret-42');
    const second = await tunnel.openPty(pty);
    await readUntil(second, 'secret-42');
    second.write('echo from-$((1+1))\n');
    await readUntil(first, 'from-2');
  });

  test('a command runs instead of the shell, and its exit is shown at once', async () => {
    const { server } = await givenAgent();
    const stream = await (await server.tunnel()).openPty({ ...pty, command: 'echo done; exit 5' });
    expect(await text(stream)).toContain('done');
    expect(stream.exit).toEqual({ exitCode: 5, signal: null });
  });

  test('the same id after an exit is a new terminal', async () => {
    const { server } = await givenAgent();
    const tunnel = await server.tunnel();
    await text(await tunnel.openPty({ ...pty, command: 'echo first' }));
    expect(await text(await tunnel.openPty({ ...pty, command: 'echo second' }))).not.toContain('first');
  });

  test('much output reaches the viewer whole', async () => {
    const { server } = await givenAgent();
    const stream = await (await server.tunnel()).openPty({ ...pty, command: 'stty -opost; seq 1 300000' });
    const shown = await text(stream);
    expect(shown.length).toBe(Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join('').length);
  });
});

describe('the workspace, seen from the server', () => {
  test('metadata comes at once, with what went wrong', async () => {
    const { server } = await givenAgent({
      metadata: [
        { key: 'load', display_name: '', script: 'echo 0.5', interval: 0, timeout: 0 },
        { key: 'broken', display_name: '', script: 'echo partly; exit 4', interval: 60, timeout: 0 },
        { key: 'slow', display_name: '', script: 'sleep 20', interval: 60, timeout: 1 },
        { key: 'long', display_name: '', script: "head -c 5000 /dev/zero | tr '\\0' x", interval: 60, timeout: 0 },
      ],
    });
    await server.until(() => new Set(server.heard.metadata.map(({ key }) => key)).size === 4);
    const byKey = new Map(server.heard.metadata.map((result) => [result.key, result]));
    expect(byKey.get('load')).toMatchObject({ value: '0.5', error: '' });
    expect(byKey.get('broken')).toMatchObject({ value: 'partly', error: 'The script ended with exit code 4.' });
    expect(byKey.get('slow')).toMatchObject({ error: 'The script took more than 1 s.' });
    expect(byKey.get('long')?.value.length).toBe(2048);
    expect(byKey.get('long')?.error).toContain('was cut');
  });

  test('the health of an app is reported, and its port answers through the tunnel', async () => {
    const app = http.createServer((request, response) => response.end(`hello ${request.url}`)).listen(0, '127.0.0.1');
    await once(app, 'listening');
    onTestFinished(() => {
      app.close();
    });
    const { port } = app.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const { server } = await givenAgent({
      apps: [
        { id: id(1), slug: 'web', url, healthcheck: { url, interval: 1, threshold: 1 }, health: 'initializing' },
        { id: id(2), slug: 'none', url, healthcheck: { url: '', interval: 0, threshold: 0 }, health: 'disabled' },
      ],
    });
    await server.until(() => server.heard.healths.length > 0);
    expect(server.heard.healths[0]).toEqual([{ id: id(1), health: 'healthy' }]);
    const socket = await (await server.tunnel()).connectTcp(port);
    const response = await new Promise<http.IncomingMessage>((resolve) =>
      http.get({ path: '/x', createConnection: () => socket }, resolve),
    );
    expect(await text(response)).toBe('hello /x');
  });

  test('a port where nothing listens is refused with a sentence', async () => {
    const { server } = await givenAgent();
    await expect((await server.tunnel()).connectTcp(1)).rejects.toMatchObject({
      code: 'refused',
      message: 'Nothing listens on port 1 of the workspace.',
    });
  });

  test.runIf(process.platform === 'linux')('the ports on which programs listen are listed', async () => {
    const { server } = await givenAgent({
      scripts: [
        script(
          1,
          `node -e 'require("http").createServer().listen(0,"127.0.0.1",function(){console.log("port="+this.address().port)})' & sleep 30 & wait`,
        ),
      ],
    });
    await server.until(() => server.lines().some((line) => line.startsWith('port=')));
    const port = Number(
      server
        .lines()
        .find((line) => line.startsWith('port='))
        ?.slice(5),
    );
    const { ports } = await (await server.tunnel()).listeningPorts();
    expect(ports).toContainEqual({ port, network: 'tcp', process_name: expect.stringMatching(/node/) });
  });

  test('usage is counted', async () => {
    const { server } = await givenAgent();
    await server.until(() => server.heard.stats.length === 1);
    expect(server.heard.stats[0]).toMatchObject({ session_count_ssh: 0, session_count_reconnecting_pty: 0 });
  });
});

describe('the stop', () => {
  test('stop scripts run, their output is kept, and the workspace is off', async () => {
    const { server, agent } = await givenAgent({ scripts: [script(1, 'echo bye', { run_on_start: false, run_on_stop: true })] });
    await server.until(() => server.heard.lifecycles.includes('ready'));
    await agent.stop();
    expect(server.heard.lifecycles).toEqual(['starting', 'ready', 'shutting_down', 'off']);
    expect(server.heard.scripts).toMatchObject([{ stage: 'stop', status: 'ok' }]);
    expect(server.lines(id(101))).toEqual(['bye']);
  });

  test('a stop script that fails is told apart', async () => {
    const { server, agent } = await givenAgent({ scripts: [script(1, 'exit 1', { run_on_start: false, run_on_stop: true })] });
    await server.until(() => server.heard.lifecycles.includes('ready'));
    await agent.stop();
    expect(server.heard.lifecycles.at(-1)).toBe('shutdown_error');
  });

  test('terminals hear the hang-up', async () => {
    const { server, agent } = await givenAgent();
    const stream = await (await server.tunnel()).openPty(pty);
    stream.write('echo re""ady\n');
    await readUntil(stream, 'ready');
    stream.on('error', () => undefined);
    const ended = new Promise((resolve) => stream.once('close', resolve));
    stream.resume();
    await agent.stop();
    await ended;
  });
});

/** A process that has ended may still wait for its parent to notice. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
