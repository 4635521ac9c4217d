import { spawn as spawnChild } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { spawn } from '@lydell/node-pty';
import { hasPrograms } from '@berth/testing/programs';
import { describe, expect, onTestFinished, test } from 'vitest';

import { isRunning, sshHost, until } from './testing.ts';
import type { SshHost } from './testing.ts';

const hasSsh = await hasPrograms('ssh', 'stty');
const TIMEOUT_MS = 60_000;

/** Runs `ssh` as a person does: in a terminal of this machine. */
function inTerminal(host: SshHost, { before = '', command = '' } = {}) {
  const pty = spawn('/bin/sh', ['-c', `${before} exec ssh -tt -F '${host.config}' ws "$@"`, 'sh', ...(command === '' ? [] : [command])], {
    cols: 101,
    rows: 33,
    name: 'xterm-256color',
  });
  const seen = { text: '' };
  pty.onData((data) => {
    seen.text += data;
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => resolve(exitCode));
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  return { pty, seen, ended, shows: (text: string | RegExp) => until(() => new RegExp(text).test(seen.text)) };
}

/** Machines without OpenSSH have nothing to try these with. */
describe.skipIf(!hasSsh)('with OpenSSH as the client', { timeout: TIMEOUT_MS }, () => {
  test('a terminal has the size and kind of its user’s, follows each change of size, and ends with the exit code of its program', async () => {
    const host = await sshHost();
    const terminal = inTerminal(host, {
      command: 'echo $TERM; [ -t 2 ] && ls $SSH_TTY; trap "stty size; exit 9" WINCH; stty size; while :; do sleep 0.05; done',
    });
    await terminal.shows('xterm-256color\r\n/dev/\\S+\r\n33 101');
    terminal.pty.resize(77, 22);
    await terminal.shows('22 77');
    expect(await terminal.ended).toBe(9);
  });

  test('a terminal has the modes of its user’s', async () => {
    const host = await sshHost();
    const { seen, ended } = inTerminal(host, { before: 'stty erase ^H intr ^G -ixon;', command: 'stty -a' });
    await ended;
    expect(seen.text).toContain('erase = ^H;');
    expect(seen.text).toContain('intr = ^G;');
    expect(seen.text).toMatch(/(?<!\S)-ixon\b/);
  });

  test('an interactive login greets with the message of the day, unless its user wants silence, and commands do not', async () => {
    const host = await sshHost({ motd_file: '~/greeting' });
    await writeFile(path.join(host.home, 'greeting'), 'Be welcome\nin the garden');
    const first = inTerminal(host);
    await first.shows('Be welcome\r\nin the garden\r\n');
    first.pty.write('exit 5\r');
    expect(await first.ended).toBe(5);
    const command = inTerminal(host, { command: 'echo only this' });
    await command.ended;
    expect(command.seen.text).toBe('only this\r\n');
    await writeFile(path.join(host.home, '.hushlogin'), '');
    const second = inTerminal(host);
    second.pty.write('exit 6\r');
    expect(await second.ended).toBe(6);
    expect(second.seen.text).not.toContain('welcome');
  });

  test('keys that mean signals reach the program in the terminal', async () => {
    const host = await sshHost();
    const terminal = inTerminal(host, { command: 'trap "echo stopped; exit 4" INT; echo ready; while :; do sleep 0.05; done' });
    await terminal.shows('ready');
    terminal.pty.write('\x03');
    expect(await terminal.ended).toBe(4);
    expect(terminal.seen.text).toContain('stopped');
  });

  test('no line of a long output is lost at the end of a terminal', async () => {
    const host = await sshHost();
    const { code, stdout } = await host.ssh(['-tt', 'ws', 'seq 1 400000']);
    expect(code).toBe(0);
    const lines = String(stdout).split('\r\n');
    expect(lines).toHaveLength(400_001);
    expect(lines.at(-2)).toBe('400000');
  });

  test('all programs of a terminal end when its client leaves without a word', async () => {
    const host = await sshHost();
    const client = spawnChild('ssh', ['-tt', '-F', host.config, 'ws', 'sleep 300 & echo $! $$; wait'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(client.stdout, 'data')) as [Buffer];
    const pids = String(line).trim().split(' ').map(Number);
    expect(pids.every(isRunning)).toBe(true);
    client.kill('SIGKILL');
    await until(() => !pids.some(isRunning));
  });
});
