import type { BuildJob, ProvisionedResource } from '@berth/protocol';
import { newId } from '@berth/core';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { DriverContext, TemplateSource } from '../../driver.ts';
import { buildJob } from '../../testing/jobs.ts';
import { chooseSandbox } from './choose-sandbox.ts';
import { ProcessDriver } from './driver.ts';

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let base = '';
let dataDir = '';
let template = '';
let driver: ProcessDriver;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'berth-driver-')));
  await chmod(base, 0o755);
  [dataDir, template] = [join(base, 'data'), join(base, 'template')];
  await mkdir(join(base, 'agent'), { mode: 0o755 });
  await copyFile(join(import.meta.dirname, 'stub-agent.mjs'), join(base, 'agent', 'agent.mjs'));
  await cp(join(import.meta.dirname, '../../../../../templates/shell'), template, { recursive: true });
  const sandbox = await chooseSandbox({ dataDir, agentDir: join(base, 'agent'), nodeBinary: process.execPath, hiddenPaths: [dataDir] });
  driver = new ProcessDriver(sandbox, { stopGraceMs: 5000 });
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

const context = (log: string[] = []): DriverContext => ({
  signal: new AbortController().signal,
  log: (_, line) => log.push(line),
  inStage: (_, work) => work(context(log)),
});
const noSource: TemplateSource = () => Promise.reject(new Error('The archive is not needed here.'));
const identities = (resources: readonly ProvisionedResource[]) =>
  resources.flatMap((resource) => resource.agents).map(({ name }) => ({ name, id: newId(), token: newId() }));

async function build(job: BuildJob, source = noSource): Promise<{ resources: ProvisionedResource[]; state: string; log: string[] }> {
  const log: string[] = [];
  const plan = await driver.plan({ job, source }, context(log));
  const { state } = await plan.apply(identities(plan.resources), context(log));
  return { resources: plan.resources, state: Buffer.from(state).toString('base64'), log };
}

const homeOf = (job: BuildJob) => join(dataDir, 'workspaces', job.workspace.id, 'home');

it('a workspace is started, stopped with its home kept, started again and deleted', async () => {
  const job = buildJob();
  const started = await build(job, () => Promise.resolve(template));
  expect(started.resources.map((resource) => [resource.type, resource.agents.map((agent) => agent.name)])).toEqual([
    ['home_folder', []],
    ['process', ['main']],
  ]);
  await vi.waitFor(async () => expect(await readdir(homeOf(job))).toHaveLength(1), 30_000);

  const stopped = await build({ ...job, transition: 'stop', state: started.state });
  expect(stopped.resources.map((resource) => resource.type)).toEqual(['home_folder']);
  expect(existsSync(join(homeOf(job), 'stopped'))).toBe(true);

  await build({ ...job, state: stopped.state }, () => Promise.resolve(template));
  expect(existsSync(join(homeOf(job), 'stopped'))).toBe(true);

  const deleted = await build({ ...job, transition: 'delete', state: stopped.state });
  expect(deleted).toMatchObject({ resources: [], state: '' });
  expect(existsSync(join(dataDir, 'workspaces', job.workspace.id))).toBe(false);
});

it('a workspace that was never there, or whose state is unreadable, can be stopped and deleted', async () => {
  for (const state of ['', Buffer.from('not json').toString('base64')]) {
    const job = buildJob({ state });
    await build({ ...job, transition: 'stop' });
    await build({ ...job, transition: 'delete' });
  }
});

it('a home that is not kept is gone after a stop', async () => {
  const other = join(base, 'temporary');
  await mkdir(other);
  await writeFile(join(other, 'berth.yaml'), 'version: 1\nresources:\n  - { name: a, type: process, persistent_home: false, agent: {} }\n');
  const job = buildJob();
  const started = await build(job, () => Promise.resolve(other));
  expect(started.resources.map((resource) => resource.type)).toEqual(['process']);
  await vi.waitFor(async () => expect(await readdir(homeOf(job))).toHaveLength(1), 30_000);
  expect((await build({ ...job, transition: 'stop', state: started.state })).resources).toEqual([]);
  expect(existsSync(homeOf(job))).toBe(false);
  await build({ ...job, transition: 'delete' });
});

it('a build without a value for a required parameter is refused by its name', async () => {
  const other = join(base, 'asking');
  await mkdir(other);
  await writeFile(
    join(other, 'berth.yaml'),
    'version: 1\nparameters: [{ name: team }]\nresources:\n  - { name: a, type: process, agent: {} }\n',
  );
  await expect(driver.plan({ job: buildJob(), source: () => Promise.resolve(other) }, context())).rejects.toThrow(
    'berth.yaml:2: parameters[0]: the value of team breaks the rule required: Needs a value.',
  );
});

it('an import with a missing variable still tells which variables there are', async () => {
  const other = join(base, 'variables');
  await mkdir(other);
  await writeFile(
    join(other, 'berth.yaml'),
    'version: 1\nvariables: [{ name: token, sensitive: true }]\nresources:\n  - { name: a, type: process, agent: {} }\n',
  );
  const parsed = await driver.parse({ directory: other, variableValues: [] }, context());
  expect(parsed.variables).toEqual([expect.objectContaining({ name: 'token', required: true, value: '', sensitive: true })]);
});
