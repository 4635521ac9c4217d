import { newId } from '@berth/core';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installRuntime, removeUnusedRuntimes } from './agent-runtime.ts';
import { WorkspaceStore } from './workspace-store.ts';

let base = '';
let agentDir = '';
let dataDir = '';

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'berth-runtime-'));
  [agentDir, dataDir] = [join(base, 'agent'), join(base, 'data')];
  await mkdir(join(agentDir, 'node_modules/pty'), { recursive: true });
  await writeFile(join(agentDir, 'agent.mjs'), 'one', { mode: 0o600 });
  await writeFile(join(agentDir, 'node_modules/pty/helper'), 'x', { mode: 0o700 });
});
afterEach(() => rm(base, { recursive: true, force: true }));

it('the copy stays as it is when the original is built again, and everyone may read it', async () => {
  const first = await installRuntime({ agentDir, dataDir });
  await writeFile(join(agentDir, 'agent.mjs'), 'two');
  const second = await installRuntime({ agentDir, dataDir });
  expect(await readFile(join(first, 'agent.mjs'), 'utf8')).toBe('one');
  expect(await readFile(join(second, 'agent.mjs'), 'utf8')).toBe('two');
  expect((await stat(join(first, 'agent.mjs'))).mode & 0o777).toBe(0o644);
  expect((await stat(join(first, 'node_modules/pty/helper'))).mode & 0o777).toBe(0o755);
});

it('the same program is copied once, also by two at a time', async () => {
  const copies = await Promise.all([installRuntime({ agentDir, dataDir }), installRuntime({ agentDir, dataDir })]);
  expect(copies[0]).toBe(copies[1]);
  expect(await readdir(join(dataDir, 'runtime'))).toEqual([basename(copies[0])]);
});

it('a copy is kept as long as a workspace runs from it', async () => {
  const store = new WorkspaceStore({ dataDir, uids: undefined });
  const old = await installRuntime({ agentDir, dataDir });
  const id = newId();
  await mkdir(store.folder(id), { recursive: true });
  await store.writeRun(id, { version: 1, kind: 'none', uid: null, runtime: basename(old), processes: [] });
  await writeFile(join(agentDir, 'agent.mjs'), 'two');
  const current = await installRuntime({ agentDir, dataDir });
  await removeUnusedRuntimes({ current, store });
  expect((await readdir(join(dataDir, 'runtime'))).toSorted()).toEqual([basename(current), basename(old)].toSorted());
  await store.clearRun(id);
  await removeUnusedRuntimes({ current, store });
  expect(await readdir(join(dataDir, 'runtime'))).toEqual([basename(current)]);
});

it('without a built agent, says so', async () => {
  await rm(join(agentDir, 'agent.mjs'));
  await expect(installRuntime({ agentDir, dataDir })).rejects.toThrow('has no agent.mjs: the agent has to be built first');
});
