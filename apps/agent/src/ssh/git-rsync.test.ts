import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { findRsync, hasPrograms } from '@berth/testing/programs';
import { describe, expect, test } from 'vitest';

import { run, sshHost } from './testing.ts';
import type { SshHost } from './testing.ts';

const hasGit = await hasPrograms('ssh', 'git');
const rsync = (await hasPrograms('ssh')) ? await findRsync() : undefined;
const TIMEOUT_MS = 120_000;

describe.skipIf(!hasGit)('with git', { timeout: TIMEOUT_MS }, () => {
  test('a repository of the workspace is cloned, changed and pushed to over ssh', async () => {
    const host = await sshHost();
    const git = gitOf(host);
    expect((await host.ssh(['ws', 'git init -q --bare garden.git'])).code).toBe(0);
    expect((await git(host.folder, 'clone', '-q', 'ws:garden.git', 'clone')).code).toBe(0);
    const clone = path.join(host.folder, 'clone');
    await writeFile(path.join(clone, 'large'), Buffer.alloc(3_000_000, 'line\n'));
    await writeFile(path.join(clone, 'readme'), 'Welcome');
    for (const args of [
      ['add', '.'],
      ['commit', '-q', '-m', 'First'],
      ['push', '-q', 'origin', 'HEAD'],
    ]) {
      expect(await git(clone, ...args)).toMatchObject({ code: 0 });
    }
    expect((await git(host.folder, 'clone', '-q', 'ws:garden.git', 'second')).code).toBe(0);
    expect(await readFile(path.join(host.folder, 'second/readme'), 'utf8')).toBe('Welcome');
    expect((await git(host.folder, 'clone', '-q', 'ws:missing.git')).code).toBe(128);
  });
});

describe.skipIf(rsync === undefined)(
  'with rsync (there is none on this machine, and none to be fetched, where this is skipped)',
  { timeout: TIMEOUT_MS },
  () => {
    test('a tree is brought there and back, only what changed the second time', async () => {
      const host = await sshHost();
      const tree = path.join(host.folder, 'tree');
      await mkdir(path.join(tree, 'inner'), { recursive: true });
      await writeFile(path.join(tree, 'inner/large'), Buffer.alloc(5_000_000, 'large'));
      await writeFile(path.join(tree, 'small'), 'small');
      const sync = (from: string, to: string) => {
        const there = rsync?.startsWith('/') === true ? [`--rsync-path=${rsync}`] : [];
        return run(rsync ?? '', ['-a', '--stats', '--delete', ...there, '-e', `ssh -F ${host.config}`, from, to]);
      };
      expect(await sync(`${tree}/`, 'ws:copy/')).toMatchObject({ code: 0, stderr: '' });
      await writeFile(path.join(tree, 'small'), 'changed');
      const second = await sync(`${tree}/`, 'ws:copy/');
      expect(String(second.stdout)).toMatch(/regular files transferred: 1\n/);
      expect(await readFile(path.join(host.home, 'copy/small'), 'utf8')).toBe('changed');
      expect(await sync('ws:copy/', `${path.join(host.folder, 'back')}/`)).toMatchObject({ code: 0, stderr: '' });
      expect((await readFile(path.join(host.folder, 'back/inner/large'))).length).toBe(5_000_000);
    });
  },
);

function gitOf(host: SshHost) {
  const env = {
    GIT_SSH_COMMAND: `ssh -F ${host.config}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  return (cwd: string, ...args: readonly string[]) => run('git', args, { cwd, env });
}
