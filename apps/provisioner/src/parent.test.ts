import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { identifyProcess, isAlive } from './drivers/process/processes.ts';
import { onParentGone } from './parent.ts';

/** Starts the real daemon, tells its number, and waits to be killed. */
const PARENT = `
  const { spawn } = require('node:child_process');
  const [main, stdio, dataDir] = process.argv.slice(1);
  const child = spawn(process.execPath, [main], {
    stdio: stdio === 'ipc' ? ['ignore', 'pipe', 'inherit', 'ipc'] : ['pipe', 'pipe', 'inherit'],
    detached: true,
    env: {
      PATH: process.env.PATH, HOME: process.env.HOME, BERTH_URL: 'http://127.0.0.1:9', BERTH_PROVISIONER_KEY: 'key',
      BERTH_PROVISIONER_NAME: 'test', BERTH_PROVISIONER_DATA_DIR: dataDir, BERTH_AGENT_DIR: dataDir,
    },
  });
  child.stdout.once('data', () => console.log(child.pid));
`;

it.each(['ipc', 'stdin'])(
  'the daemon ends when its parent is killed, which it knows by its %s',
  async (stdio) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'berth-parent-'));
    await writeFile(join(dataDir, 'agent.mjs'), '');
    const main = join(import.meta.dirname, 'main.ts');
    const parent = spawn(process.execPath, ['-e', PARENT, main, stdio, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await once(parent.stdout, 'data');
    const daemon = await identifyProcess(Number(String(said)));
    if (daemon === undefined) throw new Error('The daemon did not start.');
    parent.kill('SIGKILL');
    await vi.waitFor(async () => expect(await isAlive(daemon)).toBe(false), { timeout: 8000, interval: 20 });
    await rm(dataDir, { recursive: true, force: true });
  },
  20_000,
);

it('tells once, whichever sign comes first', () => {
  const [channel, stdin, gone] = [Object.assign(new EventEmitter(), { connected: true }), new PassThrough(), vi.fn<() => void>()];
  onParentGone({ process: channel, stdin }, gone);
  expect(gone).not.toHaveBeenCalled();
  channel.emit('disconnect');
  stdin.emit('end');
  expect(gone).toHaveBeenCalledTimes(1);
});

it('without a channel to a parent, nothing ends the daemon', () => {
  const gone = vi.fn<() => void>();
  const channel = Object.assign(new EventEmitter(), { connected: false });
  onParentGone({ process: channel, stdin: undefined }, gone);
  channel.emit('disconnect');
  expect(gone).not.toHaveBeenCalled();
});
