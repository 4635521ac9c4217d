import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SECTIONS } from './commands/catalog.ts';
import { VERSION } from './frame/version.ts';

const run = promisify(execFile);
const app = join(import.meta.dirname, '..');
let folder = '';
let berth = '';

// A busy machine starts processes slowly.
vi.setConfig({ testTimeout: 60_000 });

/** As somebody gets it who was handed one file: built, packed, and installed where nothing else is, without a network. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'berth-cli-'));
  const dist = join(folder, 'dist');
  await run(process.execPath, [join(app, 'build.mjs'), dist]);
  const npm = (...args: readonly string[]) => run('npm', [...args, '--offline', '--cache', join(folder, 'cache')], { cwd: folder });
  const { stdout } = await npm('pack', dist, '--silent');
  await npm('install', '--global', '--prefix', join(folder, 'prefix'), join(folder, stdout.trim()));
  berth = join(folder, 'prefix/bin/berth');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the packed package has no dependencies, and says which Node it needs', async () => {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'dist/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: VERSION, bin: { berth: 'berth.mjs' }, engines: { node: '>=20.19' } });
  expect(manifest).not.toHaveProperty('dependencies');
});

it('installed, it runs from any folder', async () => {
  const options = { cwd: tmpdir() };
  expect((await run(berth, ['--version'], options)).stdout).toBe(`${VERSION}\n`);
  const { stdout } = await run(berth, ['--help'], options);
  for (const { name } of SECTIONS.flatMap(({ entries }) => entries)) expect(stdout).toContain(`  ${name}`);
});

it('installed, every command loads', async () => {
  for (const { name } of SECTIONS.flatMap(({ entries }) => entries)) {
    const { stdout } = await run(berth, [name, '--help']);
    expect(stdout, name).toContain(`Usage: berth ${name}`);
  }
});

it('installed away from a checkout, it says how to get a server', async () => {
  await expect(run(berth, ['server'], { cwd: folder })).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('npm start') });
});
