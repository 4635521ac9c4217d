import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashPasswordForTest } from '@berth/api/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SECTIONS } from './commands/catalog.ts';
import type { Group, Leaf } from './frame/declare.ts';
import { VERSION } from './frame/version.ts';
import { SEARCH_PATH } from './testing/env.ts';
import { createTestCli, run } from './testing/index.ts';
import type { Result } from './testing/index.ts';

const execute = promisify(execFile);
const app = join(import.meta.dirname, '..');
const cli = await createTestCli();
let folder = '';
let program = '';

// A busy machine starts processes slowly.
vi.setConfig({ testTimeout: 120_000 });

/** As users get it: built, and installed from the tarball where nothing else is, without a network. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'berth-cli-'));
  await execute(process.execPath, [join(app, 'build.mjs'), join(folder, 'dist')]);
  const tarball = join(folder, 'dist/berth.tgz');
  const own = ['--offline', '--cache', join(folder, 'cache'), '--prefix', join(folder, 'prefix')];
  await execute('npm', ['install', '--global', ...own, tarball], { cwd: folder });
  // Nothing but the installed copy may be left to run.
  await rm(join(folder, 'dist'), { recursive: true });
  program = join(folder, 'prefix/bin/berth');
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const berth = (argv: readonly string[], options: Omit<Parameters<typeof run>[1], 'program'> = {}): Promise<Result> =>
  run(argv, { cwd: folder, ...options, program });

/** The command, with a provisioner that does its job. A command that is refused makes no job. */
async function provisioned(command: Promise<Result>, organization: string): Promise<Result> {
  const job = cli.provision(organization, { logs: ['Made it'] });
  const both = Promise.all([command, job]).then(([result]) => result);
  return Promise.race([both, command.then((result) => (result.code === 0 ? both : result))]);
}

function callsOf(declared: Leaf | Group, path: readonly string[] = []): readonly (readonly string[])[] {
  const here = [...path, declared.name];
  return declared.kind === 'command' ? [here] : [here, ...declared.commands.flatMap((child) => callsOf(child, here))];
}

describe('the tarball of the build', () => {
  it('is installed as a copy, without dependencies, and says which Node it needs', async () => {
    const installed = join(folder, 'prefix/lib/node_modules/berth-cli');
    expect((await lstat(installed)).isSymbolicLink()).toBe(false);
    const manifest: unknown = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: VERSION, bin: { berth: 'berth.mjs' }, engines: { node: '>=20.19' } });
    expect(manifest).not.toHaveProperty('dependencies');
  });

  it('has every command, with its help', async () => {
    const listed = await berth(['--help']);
    for (const { name } of SECTIONS.flatMap(({ entries }) => entries)) expect(listed.stdout).toContain(`  ${name}`);
    const declared = await Promise.all(SECTIONS.flatMap(({ entries }) => entries).map((entry) => entry.load()));
    const calls = declared.flatMap((one) => callsOf(one));
    while (calls.length > 0) {
      await Promise.all(
        calls.splice(0, 4).map(async (call) => {
          const { code, stdout, stderr } = await berth([...call, '--help']);
          expect({ code, stderr }, call.join(' ')).toEqual({ code: 0, stderr: '' });
          expect(stdout).toContain(`Usage: berth ${call[0]}`);
        }),
      );
    }
  });

  it('prints its version', async () => {
    expect(await berth(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
    const env = { BERTH_CONFIG_DIR: join(folder, 'nothing') };
    expect((await berth(['version', '-o', 'json'], { env })).json()).toEqual({ cli: VERSION, server: null });
  });

  it('has the starter templates', async () => {
    const listed = await berth(['templates', 'init', '--list', '-o', 'json']);
    expect(listed.json()).toContainEqual(expect.objectContaining({ name: 'shell', title: 'Empty shell' }));
    const made = await berth(['templates', 'init', 'started', '--starter', 'shell']);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(await readdir(join(folder, 'started'))).toEqual(await readdir(join(app, '../../templates/shell')));
  });

  it.skipIf(!existsSync('/dev/full'))(
    'ends with a sentence when its output cannot be written, and silently when nobody reads it',
    async () => {
      const shell = (line: string) => execute('sh', ['-c', line, program], { cwd: folder });
      for (const words of ['--version', 'templates init --list', '--help']) {
        await expect(shell(`"$0" ${words} > /dev/full`), words).rejects.toMatchObject({
          code: 1,
          stderr: 'error: The output cannot be written. No space left on the disk.\n',
        });
      }
      const { stdout, stderr } = await shell('{ "$0" --help; echo "code $?" >&2; } | head -1');
      expect({ lines: stdout.split('\n').length, stderr }).toEqual({ lines: 2, stderr: 'code 0\n' });
    },
  );

  it('says how to get a server when there is no checkout', async () => {
    expect(await berth(['server'])).toMatchObject({ code: 1, stderr: expect.stringContaining('npm start') });
  });
});

it('signs in, pushes a template, and creates, lists and shows a workspace', async () => {
  const password = 'a-good-Passw0rd!';
  const { id: organization } = await cli.prisma.organization.findFirstOrThrow({ where: { isDefault: true } });
  const passwordHash = await hashPasswordForTest(password);
  const owner = await cli.rows.user({ siteRoles: ['owner'], memberOf: [organization], passwordHash });
  const env = { BERTH_CONFIG_DIR: join(folder, 'config') };
  const login = await berth(['login', cli.url, '--email', owner.email, '--password-stdin'], { env, stdin: `${password}\n` });
  expect(login, login.stderr).toMatchObject({ code: 0 });

  expect(await berth(['templates', 'init', 'garden', '--starter', 'shell'], { env })).toMatchObject({ code: 0 });
  await writeFile(join(folder, 'variables.yaml'), 'unused: 1\n');
  const missing = await berth(['templates', 'push', 'garden', '--variable-file', 'absent.yaml', '--yes'], { env });
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('absent.yaml') });
  const pushed = await provisioned(
    berth(['templates', 'push', 'garden', '--variable-file', 'variables.yaml', '--yes', '-o', 'yaml'], { env }),
    organization,
  );
  expect(pushed, pushed.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('status: succeeded') });

  await writeFile(join(folder, 'parameters.yaml'), '{}\n');
  const created = await provisioned(
    berth(['create', 'dev', '--template', 'garden', '--parameter-file', 'parameters.yaml', '-o', 'json'], { env }),
    organization,
  );
  expect(created, created.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining('Made it') });
  expect((await berth(['list', '-o', 'json'], { env })).json()).toMatchObject([{ name: 'dev', latest_build: { status: 'running' } }]);
  expect((await berth(['show', 'dev'], { env })).stdout).toContain('running');
  const path = `${join(folder, 'prefix/bin')}:${SEARCH_PATH}`;
  const section = await berth(['config-ssh', '--dry-run'], { env: { ...env, HOME: folder, PATH: path } });
  expect(section.stdout, 'the path that updates keep').toContain(` ${program} ssh --stdio`);
  expect(await berth(['logout'], { env })).toMatchObject({ code: 0 });
  expect(await berth(['list'], { env })).toMatchObject({ code: 3 });
});
