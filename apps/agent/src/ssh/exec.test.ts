import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { duplexPair } from 'node:stream';

import ssh2 from 'ssh2';
import { hasPrograms } from '@berth/testing/programs';
import { describe, expect, onTestFinished, test } from 'vitest';

import { isRunning, run, sshHost, until } from './testing.ts';
import type { SshHost } from './testing.ts';

const hasSsh = await hasPrograms('ssh');
const TIMEOUT_MS = 60_000;
const MEGABYTE = 1024 * 1024;

function hash(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Starts `ssh` with a command whose first line is a number, such as a process id. */
async function startWithNumber(host: SshHost, command: string, options: readonly string[] = []) {
  const client = spawn('ssh', ['-F', host.config, ...options, 'ws', command], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void client.kill('SIGKILL'));
  const [line] = (await once(client.stdout, 'data')) as [Buffer];
  return { client, number: Number.parseInt(String(line), 10) };
}

/** Machines without OpenSSH have nothing to try these with. */
describe.skipIf(!hasSsh)('with OpenSSH as the client', { timeout: TIMEOUT_MS }, () => {
  test('a command over ssh has its own output, errors and exit code', async () => {
    const host = await sshHost();
    const ran = await host.ssh(['ws', 'echo out; echo err >&2; exit 42']);
    expect({ ...ran, stdout: String(ran.stdout) }).toEqual({ code: 42, signal: null, stdout: 'out\n', stderr: 'err\n' });
    expect(host.complaints).toEqual([]);
  });

  test('50 MB go through a command over ssh both ways byte by byte', async () => {
    const host = await sshHost();
    const data = randomBytes(50 * MEGABYTE);
    const ran = await host.ssh(['ws', 'cat'], data);
    expect(ran.code).toBe(0);
    expect(hash(ran.stdout)).toBe(hash(data));
  });

  test('keys are made anew in the middle of a transfer without losing a byte', async () => {
    const host = await sshHost();
    const data = randomBytes(12 * MEGABYTE);
    const ran = await host.ssh(['-o', 'RekeyLimit=1M', 'ws', 'cat'], data);
    expect(ran.code).toBe(0);
    expect(hash(ran.stdout)).toBe(hash(data));
  });

  test('output and errors that are large at once arrive whole, each on its own stream', async () => {
    const host = await sshHost();
    const data = randomBytes(12 * MEGABYTE);
    await writeFile(path.join(host.home, 'data'), data);
    const ran = await host.ssh(['ws', 'cat ~/data >&2 & cat ~/data; wait']);
    const errors = await host.ssh(['ws', 'cat ~/data >&2 & cat ~/data >/dev/null; wait']);
    expect(ran.code).toBe(0);
    expect(hash(ran.stdout)).toBe(hash(data));
    expect(ran.stderr.length).toBe(errors.stderr.length);
    expect(ran.stderr).toBe(String(data));
  });

  test('a command reads the end of its input, even when that is there before the command has started, and goes on', async () => {
    const host = await sshHost();
    expect(String((await host.ssh(['ws', 'cat; echo after'], 'typed\n')).stdout)).toBe('typed\nafter\n');
    expect(String((await host.ssh(['-n', 'ws', 'cat; echo after'])).stdout)).toBe('after\n');
  });

  test('a command that stops reading its input still ends well', async () => {
    const host = await sshHost();
    const ran = await host.ssh(['ws', 'head -c 3; exec <&-; echo; echo done'], Buffer.alloc(8 * MEGABYTE, 'x'));
    expect({ code: ran.code, stdout: String(ran.stdout) }).toEqual({ code: 0, stdout: 'xxx\ndone\n' });
  });

  test('a login shell without a terminal runs the script of its input', async () => {
    const host = await sshHost();
    const ran = await host.ssh(['-T', 'ws'], 'echo in $BERTH_WORKSPACE_NAME at $(basename "$PWD")\nexit 3\n');
    expect({ code: ran.code, stdout: String(ran.stdout) }).toEqual({ code: 3, stdout: `in garden at ${path.basename(host.home)}\n` });
  });

  test('a client hears by which signal its command died, and OpenSSH takes that for a failure', async () => {
    const host = await sshHost();
    expect((await host.ssh(['ws', 'kill -TERM $$'])).code).toBe(255);
    const client = await connect(host);
    const ended = await new Promise((resolve, reject) => {
      client.exec('kill -KILL $$', (error, stream) => {
        if (error) reject(error);
        else stream.resume().on('exit', (code: number | null, signal: string) => resolve({ code, signal }));
      });
    });
    expect(ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('a client sends signals to its command', async () => {
    const host = await sshHost();
    const client = await connect(host);
    const ended = await new Promise((resolve, reject) => {
      client.exec('trap "echo caught; exit 7" INT; echo ready; while :; do sleep 0.05; done', (error, stream) => {
        if (error) {
          reject(error);
          return;
        }
        let output = '';
        stream.on('data', (chunk: Buffer) => {
          output += String(chunk);
          if (output === 'ready\n') stream.signal('INT');
        });
        stream.on('close', (code: number) => resolve({ code, output }));
      });
    });
    expect(ended).toEqual({ code: 7, output: 'ready\ncaught\n' });
  });

  test('variables of the client reach the command; those of the template and ours win, and what the session is for stays hidden', async () => {
    const host = await sshHost({ environment: { FROM_TEMPLATE: 'template' } });
    const asked = ['SetEnv=ASKED="two words"', 'FROM_TEMPLATE=client', 'BERTH_WORKSPACE_NAME=mine', 'SSH_CONNECTION=mine'];
    const options = ['-o', [...asked, 'BERTH_SSH_SESSION_TYPE=vscode'].join(' ')];
    const { stdout } = await host.ssh([...options, 'ws', 'env']);
    const lines = String(stdout).split('\n');
    expect(lines).toContain('ASKED=two words');
    expect(lines).toContain('FROM_TEMPLATE=template');
    expect(lines).toContain('BERTH_WORKSPACE_NAME=garden');
    expect(lines).toContain('SSH_CONNECTION=0.0.0.0 0 0.0.0.0 0');
    expect(lines.find((line) => line.startsWith('LOGNAME='))?.slice(3)).toBe(
      lines.find((line) => line.startsWith('USER='))?.replace('USER', 'NAME'),
    );
    expect(String(stdout)).not.toContain('SESSION_TYPE');
  });

  test('sessions are counted by what they are for, for as long as they run', async () => {
    const host = await sshHost();
    expect(host.server.sessions).toEqual({ vscode: 0, jetbrains: 0, ssh: 0 });
    const editor = await startWithNumber(host, 'echo 1; cat', ['-o', 'SetEnv=BERTH_SSH_SESSION_TYPE=vscode']);
    const plain = await startWithNumber(host, 'echo 1; cat');
    expect(host.server.sessions).toEqual({ vscode: 1, jetbrains: 0, ssh: 1 });
    editor.client.stdin.end();
    await until(() => host.server.sessions.vscode === 0);
    plain.client.kill('SIGKILL');
    await until(() => host.server.sessions.ssh === 0);
  });

  test('a command and what it started end when their client leaves without a word', async () => {
    const host = await sshHost();
    const { client, number: pid } = await startWithNumber(host, 'sleep 300 & echo $!; wait');
    expect(isRunning(pid)).toBe(true);
    client.kill('SIGKILL');
    await until(() => !isRunning(pid));
  });

  test('a command that holds up its input ends all the same when its client leaves', async () => {
    const host = await sshHost();
    const { client, number: pid } = await startWithNumber(host, 'echo $$; exec sleep 300');
    client.stdin.on('error', () => undefined);
    client.stdin.write(Buffer.alloc(16 * MEGABYTE));
    client.kill('SIGKILL');
    await until(() => !isRunning(pid));
  });

  test('what was made to outlive its session does: left in the background, or told to ignore hang-ups', async () => {
    const host = await sshHost();
    const started = await host.ssh(['ws', 'sleep 300 >/dev/null 2>&1 & echo $!']);
    const background = Number.parseInt(String(started.stdout), 10);
    onTestFinished(() => void process.kill(background, 'SIGKILL'));
    const { client, number: ignoring } = await startWithNumber(host, 'trap "" HUP; echo $$; exec sleep 300');
    onTestFinished(() => void process.kill(ignoring, 'SIGKILL'));
    const { client: other, number: witness } = await startWithNumber(host, 'echo $$; exec sleep 300');
    client.kill('SIGKILL');
    other.kill('SIGKILL');
    await until(() => !isRunning(witness));
    expect(isRunning(background)).toBe(true);
    expect(isRunning(ignoring)).toBe(true);
  });

  test('one connection carries many commands at once, each with its own output', async () => {
    const host = await sshHost();
    const socket = path.join(host.folder, 'control');
    const master = spawn('ssh', ['-F', host.config, '-M', '-N', '-S', socket, 'ws']);
    onTestFinished(() => void master.kill('SIGKILL'));
    await until(async () => (await run('ssh', ['-F', host.config, '-S', socket, '-O', 'check', 'ws'])).code === 0);
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const all = await Promise.all(
      numbers.map((number) => run('ssh', ['-F', host.config, '-S', socket, 'ws', `echo ${number}; exit ${number}`])),
    );
    expect(all.map(({ code, stdout }) => ({ code, said: String(stdout) }))).toEqual(
      numbers.map((number) => ({ code: number, said: `${number}\n` })),
    );
  });

  test('bytes that are no SSH end their own connection and nothing else', async () => {
    const host = await sshHost();
    for (const nonsense of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), randomBytes(4096)]),
      randomBytes(70_000),
    ]) {
      const socket = net.connect(host.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume().end(nonsense);
      await once(socket, 'close');
    }
    expect(String((await host.ssh(['ws', 'echo well'])).stdout)).toBe('well\n');
  });
});

test('more connections than a workspace may have are refused, and there is room again when one ends', async () => {
  const host = await sshHost();
  const request = { stream: '', holder: '' };
  const carriers = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const serve = await host.server.open(request);
      const [carrier] = duplexPair();
      serve(carrier);
      return carrier;
    }),
  );
  await expect(host.server.open(request)).rejects.toThrow('64 SSH connections');
  carriers[0]?.destroy();
  await until(() => host.server.connections < 64);
  await host.server.open(request);
});

/** A client that can do what OpenSSH's does not, such as sending signals. */
async function connect(host: SshHost): Promise<ssh2.Client> {
  const client = new ssh2.Client();
  client.on('error', () => undefined);
  onTestFinished(() => void client.end());
  client.connect({ host: '127.0.0.1', port: host.port, username: 'ada' });
  await once(client, 'ready');
  return client;
}
