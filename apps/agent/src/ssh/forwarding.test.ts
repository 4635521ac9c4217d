import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, stat } from 'node:fs/promises';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { hasPrograms } from '@berth/testing/programs';
import { describe, expect, onTestFinished, test } from 'vitest';

import { run, sshHost, until } from './testing.ts';
import type { SshHost } from './testing.ts';

const hasSsh = await hasPrograms('ssh');
const hasKeyAgent = await hasPrograms('ssh', 'ssh-agent', 'ssh-add', 'ssh-keygen');
const TIMEOUT_MS = 60_000;
const DATA = Buffer.alloc(4 * 1024 * 1024, 'data');

/** A server that answers only once its client has said everything: `echo` needs connections whose ends can end alone. */
async function echoServer(at: { port: number; host: string } | { path: string }): Promise<AddressInfo | string | null> {
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => socket.end(Buffer.concat([Buffer.from('all: '), ...chunks])));
  });
  server.listen(at);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server.address();
}

async function echoPort(): Promise<number> {
  return ((await echoServer({ port: 0, host: '127.0.0.1' })) as AddressInfo).port;
}

/** Says everything, then reads the answer to its end. */
async function ask(at: net.NetConnectOpts, said: Buffer): Promise<Buffer> {
  const socket = net.connect({ ...at, allowHalfOpen: true });
  socket.end(said);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function canAsk(at: net.NetConnectOpts): Promise<boolean> {
  return ask(at, Buffer.from('?')).then(
    (answer) => answer.length > 0,
    () => false,
  );
}

/** Starts `ssh -N` with options that forward; ends with the test. */
function forward(host: SshHost, options: readonly string[]) {
  const client = spawn('ssh', ['-F', host.config, '-o', 'LogLevel=INFO', '-N', '-o', 'ExitOnForwardFailure=yes', ...options, 'ws']);
  const said = { text: '' };
  client.stderr.on('data', (chunk: Buffer) => {
    said.text += String(chunk);
  });
  onTestFinished(() => void client.kill('SIGKILL'));
  return { client, said };
}

describe.skipIf(!hasSsh)('with OpenSSH as the client', { timeout: TIMEOUT_MS }, () => {
  test('a local port leads into the workspace, and each direction of a connection ends alone', async () => {
    const host = await sshHost();
    const local = path.join(host.folder, 'local');
    forward(host, ['-L', `${local}:localhost:${await echoPort()}`]);
    await until(() => canAsk({ path: local }));
    expect((await ask({ path: local }, DATA)).equals(Buffer.concat([Buffer.from('all: '), DATA]))).toBe(true);
  });

  test('many connections at once go through one forwarded port, none into another', async () => {
    const host = await sshHost();
    const local = path.join(host.folder, 'local');
    forward(host, ['-L', `${local}:127.0.0.1:${await echoPort()}`]);
    await until(() => canAsk({ path: local }));
    const said = Array.from({ length: 50 }, (_, index) => Buffer.alloc(100_000, `connection ${index}`));
    const answers = await Promise.all(said.map((each) => ask({ path: local }, each)));
    expect(answers.every((answer, index) => answer.equals(Buffer.concat([Buffer.from('all: '), said[index] ?? Buffer.of()])))).toBe(true);
  });

  test('a port of the workspace leads to the client, is chosen when the client leaves that open, and is closed again', async () => {
    const host = await sshHost();
    const target = await echoPort();
    const { client, said } = forward(host, ['-R', `0:127.0.0.1:${target}`]);
    await until(() => /Allocated port \d+/.test(said.text));
    const port = Number(/Allocated port (\d+)/.exec(said.text)?.[1]);
    expect((await ask({ host: '127.0.0.1', port }, DATA)).length).toBe(DATA.length + 5);
    client.kill('SIGKILL');
    await until(async () => !(await canAsk({ host: '127.0.0.1', port })));
  });

  test('a forwarded port is given up when the client says so, while the connection goes on', async () => {
    const host = await sshHost();
    const control = path.join(host.folder, 'control');
    const inside = path.join(host.home, 'inside');
    const target = await echoPort();
    forward(host, ['-M', '-S', control]);
    const tell = (...args: string[]) => run('ssh', ['-F', host.config, '-S', control, ...args, 'ws']);
    await until(async () => (await tell('-O', 'check')).code === 0);
    expect((await tell('-O', 'forward', '-R', `${inside}:127.0.0.1:${target}`)).code).toBe(0);
    expect(await canAsk({ path: inside })).toBe(true);
    expect((await tell('-O', 'cancel', '-R', `${inside}:127.0.0.1:${target}`)).code).toBe(0);
    await until(async () => !(await exists(inside)));
    expect((await tell('-O', 'check')).code).toBe(0);
  });

  test('sockets lead both ways as ports do, and only their user can open the ones made in the workspace', async () => {
    const host = await sshHost();
    const [there, local, inside] = [path.join(host.home, 'there'), path.join(host.folder, 'local'), path.join(host.home, 'inside')];
    await echoServer({ path: there });
    forward(host, ['-L', `${local}:${there}`, '-R', `${inside}:127.0.0.1:${await echoPort()}`]);
    await until(() => canAsk({ path: local }));
    expect((await ask({ path: local }, DATA)).length).toBe(DATA.length + 5);
    await until(() => canAsk({ path: inside }));
    expect((await stat(inside)).mode & 0o777).toBe(0o600);
  });

  test.runIf(process.platform === 'linux')(
    'a connection to the back end of a JetBrains editor counts as one, for as long as it lasts',
    async () => {
      const host = await sshHost();
      const listen = "require('node:net').createServer(() => {}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })";
      const editor = spawn(process.execPath, ['-e', listen, '--', '-Didea.vendor.name=JetBrains']);
      onTestFinished(() => void editor.kill('SIGKILL'));
      const [port] = (await once(editor.stdout, 'data')) as [Buffer];
      const client = spawn('ssh', ['-F', host.config, '-W', `127.0.0.1:${String(port).trim()}`, 'ws']);
      onTestFinished(() => void client.kill('SIGKILL'));
      await until(() => host.server.sessions.jetbrains === 1);
      client.kill('SIGKILL');
      await until(() => host.server.sessions.jetbrains === 0);
    },
  );

  test('a port on which nothing listens is refused, and the connection goes on', async () => {
    const host = await sshHost();
    const refused = await host.ssh(['-W', '127.0.0.1:1', 'ws']);
    expect(refused.code).toBe(255);
    const local = path.join(host.folder, 'local');
    const { client } = forward(host, ['-L', `${local}:127.0.0.1:1`]);
    await until(() => exists(local));
    expect(await ask({ path: local }, Buffer.of()).catch(() => Buffer.of())).toHaveLength(0);
    expect(client.exitCode).toBe(null);
  });

  test('a port that is taken is refused to the client', async () => {
    const host = await sshHost();
    const taken = await echoPort();
    const { client, said } = forward(host, ['-R', `${taken}:127.0.0.1:${taken}`]);
    expect(await once(client, 'exit')).toEqual([255, null]);
    expect(said.text).toContain('remote port forwarding failed');
  });

  test.skipIf(!hasKeyAgent)(
    'programs of the workspace use the client’s key agent, for as long as it is connected, and nobody else can',
    async () => {
      const host = await sshHost();
      const socket = path.join(host.folder, 'agent');
      const key = path.join(host.folder, 'key');
      const agent = spawn('ssh-agent', ['-D', '-a', socket]);
      onTestFinished(() => void agent.kill('SIGKILL'));
      await until(() => exists(socket));
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'the-key-of-ada', '-f', key]);
      const env = { SSH_AUTH_SOCK: socket };
      expect((await run('ssh-add', [key], { env })).code).toBe(0);

      const command = 'ls -ld "$(dirname "$SSH_AUTH_SOCK")" | cut -c1-10; echo "$SSH_AUTH_SOCK"; ssh-add -l; ssh-add -l';
      const { stdout } = await run('ssh', ['-F', host.config, '-A', 'ws', command], { env });
      const [mode, inside = '', ...keys] = String(stdout).trim().split('\n');
      expect(mode).toBe('drwx------');
      expect(keys).toHaveLength(2);
      expect(keys.every((each) => each.includes('the-key-of-ada'))).toBe(true);
      expect(path.dirname(path.dirname(inside))).toBe(tmpdir());
      await until(async () => !(await exists(path.dirname(inside))));

      const without = await run('ssh', ['-F', host.config, 'ws', 'echo "[$SSH_AUTH_SOCK]"'], { env });
      expect(String(without.stdout)).toBe('[]\n');
    },
  );
});

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
