import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestCli } from '../../testing/index.ts';
import type { Result } from '../../testing/index.ts';

const cli = await createTestCli();
const folder = await mkdtemp(path.join(tmpdir(), 'berth-templates-'));
let admin: (...argv: readonly string[]) => Promise<Result>;
let organization: string;

beforeAll(async () => {
  const owner = await cli.rows.user({ siteRoles: ['owner'] });
  admin = await cli.as(owner.id);
  organization = (await cli.prisma.organization.findFirstOrThrow({ where: { isDefault: true } })).id;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command that imports, with a provisioner that does its job. */
async function provisioned(command: Promise<Result>, error?: string): Promise<Result> {
  const [result] = await Promise.all([command, cli.provision(organization, error === undefined ? {} : { error })]);
  return result;
}

test('a starter becomes a template, its changes a version, and what is downloaded is what was pushed', async () => {
  const garden = path.join(folder, 'garden');
  expect(await admin('templates', 'init', garden, '--starter', 'shell')).toMatchObject({ code: 0 });
  expect(await admin('templates', 'init', garden, '--starter', 'shell'), 'what is there is not overwritten').toMatchObject({ code: 6 });

  const first = await provisioned(admin('templates', 'push', garden, '--yes', '-o', 'json'));
  expect(first, first.stderr).toMatchObject({ code: 0 });
  const same = await admin('templates', 'push', garden, '--yes');
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing has changed') });

  await appendFile(path.join(garden, 'README.md'), '\nMore.\n');
  await writeFile(path.join(garden, 'setup.sh'), '#!/bin/sh\n');
  const second = await provisioned(admin('templates', 'push', garden, '--yes', '--no-activate', '--name', 'second', '-m', 'More'));
  expect(second).toMatchObject({ code: 0, stderr: expect.stringMatching(/\+ setup\.sh[\s\S]*~ README\.md/) });

  const copy = path.join(folder, 'copy');
  expect(await admin('templates', 'pull', 'garden', copy)).toMatchObject({ code: 0 });
  expect(await readdir(copy), 'the active version is still the first').toEqual(['README.md', 'berth.yaml']);
  expect(await admin('templates', 'pull', 'garden', copy, '--version', 'second')).toMatchObject({ code: 6 });
  expect(await admin('templates', 'pull', 'garden', copy, '--version', 'second', '--force')).toMatchObject({ code: 0 });
  expect(await readFile(path.join(copy, 'README.md'), 'utf8')).toContain('More.');

  expect(await admin('templates', 'promote', 'garden', 'second')).toMatchObject({ code: 0 });
  const versions = (await admin('templates', 'versions', 'garden', '-o', 'json')).json();
  // Both were made in the same instant of the test's clock, so neither is the older one.
  expect(versions).toHaveLength(2);
  expect(versions).toContainEqual(expect.objectContaining({ name: 'second', message: 'More' }));
  expect(await admin('templates', 'archive', 'garden', '--all')).toMatchObject({ code: 0, stdout: 'Archived 1 version.\n' });
  expect((await admin('templates', 'show', 'garden', '-o', 'json')).json()).toMatchObject({
    name: 'garden',
    active_version: { name: 'second' },
  });
  expect(await admin('templates', 'delete', 'garden', '--yes')).toMatchObject({ code: 0 });
});

test('an import that fails says why, and leaves no template', async () => {
  const broken = path.join(folder, 'broken');
  await admin('templates', 'init', broken, '--starter', 'shell');
  const result = await provisioned(admin('templates', 'push', broken, '--yes'), 'resources: at least one is needed');
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('resources: at least one is needed') });
  expect(await admin('templates', 'show', 'broken')).toMatchObject({ code: 4 });
});

test('who may not make templates is refused in plain words', async () => {
  const member = await cli.as((await cli.rows.user()).id);
  const mine = path.join(folder, 'mine');
  await member('templates', 'init', mine, '--starter', 'shell');
  expect((await member('templates', 'push', mine, '--yes')).code).toBeGreaterThan(3);
});

test('a folder whose name is none for a template says how to give one', async () => {
  expect(await admin('templates', 'push', '/', '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('--template') });
});

test('a push to tags that no provisioner has says so, ends with its timeout, and can leave the import to the server', async () => {
  const mars = path.join(folder, 'mars');
  await admin('templates', 'init', mars, '--starter', 'shell');
  const push = ['templates', 'push', mars, '--yes', '--tag', 'planet=mars'];
  const timedOut = await admin(...push, '--timeout', '1s');
  expect(timedOut).toMatchObject({ code: 7, stdout: '' });
  expect(timedOut.stderr).toContain('has not ended within 1s. No provisioner can take this import: it needs one with the tag planet=mars.');
  expect(await admin('templates', 'show', 'mars')).toMatchObject({ code: 4 });

  const created = await admin(...push, '--no-wait', '--name', 'first');
  expect(created).toMatchObject({ code: 0, stdout: 'Created the template mars. Its version first is still being imported.\n' });
  expect(created.stderr).toContain('Uploading 2 files');
  await rm(path.join(mars, 'README.md'));
  const added = await admin(...push, '--no-wait', '--name', 'second');
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('berth templates promote mars second') });
  expect(added.stderr).toContain('Uploading 1 file\n');
  expect((await admin('templates', 'show', 'mars', '-o', 'json')).json()).toMatchObject({ active_version: { name: 'first' } });
});
