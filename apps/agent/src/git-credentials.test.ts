import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { serveGitCredentials } from './git-credentials.ts';
import type { Session } from './session.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const PATH = '/usr/local/bin:/usr/bin:/bin';
const UNLINKED = { url: 'http://berth.test/external-auth/code', username: '', password: '' };

interface Asked {
  readonly match: string;
  readonly listen: boolean;
}

/** Credentials as an agent serves them, with what it is asked; `answer` stands in for the server. */
async function given(answer: (asked: Asked) => object) {
  const asked: Asked[] = [];
  const api = {
    externalAuth: {
      query: (input: Asked) => {
        asked.push(input);
        return Promise.resolve(answer(input));
      },
    },
    gitSshKey: { query: () => Promise.resolve({ public_key: 'ssh-ed25519 AAAA ada', private_key: 'a private key\n' }) },
  };
  const deliver: unknown = (call: (given: typeof api) => Promise<unknown>) => call(api);
  const git = await serveGitCredentials({
    session: { deliver: deliver as Session['deliver'] },
    command: [process.execPath, MAIN],
    log: () => undefined,
  });
  onTestFinished(() => git.close());
  return { git, asked };
}

/** Runs a program as a command of the workspace does; its outcome, whatever it is. */
function run(program: string, args: readonly string[], { env, input = '' }: { env: Readonly<Record<string, string>>; input?: string }) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      program,
      args,
      { env: { PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...env }, timeout: 20_000 },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const fill = (env: Readonly<Record<string, string>>, host: string) =>
  run('git', ['credential', 'fill'], {
    env: { ...env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', HOME: tmpdir() },
    input: `protocol=https\nhost=${host}\n\n`,
  });

test('git gets the owner’s token, asked for by the host alone', async () => {
  const { git, asked } = await given(() => ({ url: '', username: 'oauth2', password: 'a-token' }));
  const { stdout } = await fill(git.environment, 'code.example');
  expect(stdout).toContain('username=oauth2\npassword=a-token\n');
  expect(new Set(asked.map(({ match }) => match))).toEqual(new Set(['https://code.example']));
});

test('a host that takes the token as the user gets it there, also when only a password is asked for', async () => {
  const { git } = await given(() => ({ url: '', username: 'a-token', password: '' }));
  const askpass = (prompt: string) => run(git.environment['GIT_ASKPASS'] ?? '', [prompt], { env: {} });
  expect(await askpass("Username for 'https://code.example': ")).toMatchObject({ code: 0, stdout: 'a-token\n' });
  expect(await askpass("Password for 'https://octo@code.example': ")).toMatchObject({ code: 0, stdout: 'a-token\n' });
});

test('security: a host that is called like another one inside its user part gets nothing of the other', async () => {
  const { git, asked } = await given(() => ({ url: '', username: 'u', password: 'p' }));
  await run(git.environment['GIT_ASKPASS'] ?? '', ["Password for 'https://code.example@evil.example': "], { env: {} });
  expect(asked[0]?.match).toBe('https://evil.example');
});

test('without a linked account it says where to link one, and goes on as soon as it is', async () => {
  const { git, asked } = await given(({ listen }) => (listen ? { url: '', username: 'oauth2', password: 'a-token' } : UNLINKED));
  const { stdout, stderr } = await run(git.environment['GIT_ASKPASS'] ?? '', ["Password for 'https://code.example': "], { env: {} });
  expect(stdout).toBe('a-token\n');
  expect(stderr).toContain('http://berth.test/external-auth/code');
  expect(asked.map(({ listen }) => listen)).toEqual([false, true]);
});

test('what nobody configured, what is no question of git, and an agent that is gone are left to git', async () => {
  const { git } = await given(() => {
    throw new Error('no such provider');
  });
  const askpass = (prompt: string) => run(git.environment['GIT_ASKPASS'] ?? '', [prompt], { env: {} });
  expect(await askpass("Username for 'https://elsewhere.example': ")).toMatchObject({ code: 1, stdout: '' });
  expect(await askpass('Enter passphrase for key: ')).toMatchObject({ code: 1, stdout: '' });
});

test('ssh shows the owner’s key, which lies in a private file for that long only', async () => {
  const { git } = await given(() => UNLINKED);
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-fake-ssh-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Without -G, the options, the file's mode and content; with it, no identities.
  await writeFile(path.join(folder, 'ssh'), '#!/bin/sh\n[ "$1" = -G ] && exit 0\necho "$@"; stat -c %a "$2"; cat "$2"; exit 3\n');
  await chmod(path.join(folder, 'ssh'), 0o755);
  const env = { PATH: `${folder}:${PATH}` };
  const { code, stdout } = await run('/bin/sh', ['-c', `${git.environment['GIT_SSH_COMMAND']} git@code.example "git-upload-pack 'a b'"`], {
    env,
  });
  expect(code).toBe(3);
  const [line = '', mode, content] = stdout.split('\n');
  expect(line).toMatch(/^-i \S+\/key git@code\.example git-upload-pack 'a b'$/);
  expect([mode, content]).toEqual(['600', 'a private key']);
  await expect(stat(line.split(' ')[1] ?? '')).rejects.toThrow('ENOENT');
});

test('security: nobody else on the machine can enter the helpers’ folder, and it goes with the agent', async () => {
  const { git } = await given(() => UNLINKED);
  const folder = path.dirname(git.environment['GIT_ASKPASS'] ?? '');
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await readdir(folder)).toSorted()).toEqual(['agent.sock', 'git-askpass', 'ssh']);
  await git.close();
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});
