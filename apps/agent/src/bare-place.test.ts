import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { fakeServer, id, SCRIPT_DEFAULTS } from './fake-server.ts';

/** Somebody whom no user database knows, as many containers run their programs; only root can become one. */
const STRANGER = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : {};

test.runIf(process.platform === 'linux')(
  'without HOME, USER, PATH and a place to write, as a user whom nobody knows, a workspace starts, has terminals, and stops',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'berth-bare-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, '../build.mjs'), folder]);
    await chmod(folder, 0o755);
    const closed = path.join(folder, 'closed');
    await mkdir(closed, { mode: 0o555 });
    const server = await fakeServer({
      server_version: 'v0.99.0',
      scripts: [
        { ...SCRIPT_DEFAULTS, id: id(1), log_source_id: id(2), run_on_start: true, script: 'echo "$(id -u) [$HOME] [$USER] $(pwd)"' },
      ],
      metadata: [{ key: 'who', display_name: '', script: 'id -u', interval: 0, timeout: 5 }],
    });
    const agent = spawn(process.execPath, [path.join(folder, 'agent.mjs')], {
      cwd: '/',
      env: { BERTH_AGENT_URL: server.url, BERTH_AGENT_TOKEN: 'token', TMPDIR: closed },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...STRANGER,
    });
    const said = text(agent.stderr);
    onTestFinished(() => {
      agent.kill('SIGKILL');
      server.close();
    });
    const uid = String(STRANGER.uid ?? process.getuid?.());
    await server.until(
      () => server.heard.lifecycles.includes('ready') && server.heard.metadata.length > 0 && server.lines(id(2)).length > 0,
    );
    expect(server.heard.scripts).toMatchObject([{ status: 'ok' }]);
    expect(server.heard.metadata).toMatchObject([{ value: uid, error: '' }]);
    expect(server.lines(id(2))[0]).toMatch(new RegExp(`^${uid} \\[/.*\\] \\[.+\\] /`));
    const terminal = await (await server.tunnel()).openPty({ id: id(3), width: 80, height: 24, command: 'echo from-$((6*7))' });
    expect(await text(terminal)).toContain('from-42');
    // Its own memory: the rest are pages of Node.js, which all agents of a machine share.
    const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${agent.pid ?? 0}/status`, 'utf8')) ?? [];
    expect(Number(kibibytes)).toBeLessThan(45_000);
    const ended = once(agent, 'exit');
    agent.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(server.heard.lifecycles).toEqual(['starting', 'ready', 'shutting_down', 'off']);
    expect(await said).toContain('There is no temporary folder');
  },
  60_000,
);
