import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, lstat, mkdir, readdir, readFile, readlink, realpath, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import ssh2 from 'ssh2';
import { hasPrograms } from '@berth/testing/programs';
import { describe, expect, onTestFinished, test } from 'vitest';

import { run, sshHost, until } from '../testing.ts';
import type { Ran, SshHost } from '../testing.ts';
import { DATA_MAX, packet, REQUESTS, text, uint32, uint64 } from './packets.ts';

const hasSftp = await hasPrograms('ssh', 'sftp');
const hasScp = await hasPrograms('ssh', 'scp');
/** Where `/proc` tells which files are open. */
const isLinux = process.platform === 'linux';
const TIMEOUT_MS = 60_000;
const MEGABYTE = 1024 * 1024;

/** Runs commands of `sftp`, up to the first that fails. A line that begins with `-` may fail. */
async function sftp(host: SshHost, ...commands: readonly string[]): Promise<Ran> {
  return await run('sftp', ['-F', host.config, '-q', '-b', '-', 'ws'], { input: `${commands.join('\n')}\n`, cwd: host.folder });
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

describe.skipIf(!hasSftp)('with OpenSSH’s sftp', { timeout: TIMEOUT_MS }, () => {
  test('large files go there and back byte by byte', async () => {
    const host = await sshHost();
    const data = randomBytes(50 * MEGABYTE + 123);
    await writeFile(path.join(host.folder, 'large'), data);
    const ran = await sftp(host, 'put large there', 'get there back');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const wanted = createHash('sha256').update(data).digest('hex');
    expect(await hashOf(path.join(host.home, 'there'))).toBe(wanted);
    expect(await hashOf(path.join(host.folder, 'back'))).toBe(wanted);
  });

  test('a transfer starts in the home and does what it says: folders, names, modes, links, removal', async () => {
    const host = await sshHost();
    await writeFile(path.join(host.folder, 'file'), 'text');
    const first = await sftp(
      host,
      'pwd',
      'mkdir folder',
      'put file folder/a',
      'rename folder/a folder/b',
      'chmod 640 folder/b',
      'symlink b folder/link',
    );
    expect(first.code).toBe(0);
    expect(String(first.stdout)).toContain(await realpath(host.home));
    const folder = path.join(host.home, 'folder');
    expect((await readdir(folder)).sort()).toEqual(['b', 'link']);
    expect((await stat(path.join(folder, 'b'))).mode & 0o777).toBe(0o640);
    expect(await readlink(path.join(folder, 'link'))).toBe('b');
    const { stdout } = await sftp(host, 'ls -l folder');
    expect(String(stdout)).toMatch(/^-rw-r----- .* 4 \w{3} .* b$/m);
    expect(String(stdout)).toMatch(/^lrwxrwxrwx .* link$/m);
    expect((await sftp(host, 'ln folder/b folder/hard', 'rm folder/b', 'rm folder/link', 'rm folder/hard', 'rmdir folder')).code).toBe(0);
    expect(await readdir(host.home)).toEqual([]);
  });

  test('times and modes are kept when the client asks for that, there and back', async () => {
    const host = await sshHost();
    const file = path.join(host.folder, 'script');
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, 0o751);
    await utimes(file, 1_000_000_000, 1_000_000_001);
    expect((await sftp(host, 'put -p script', 'get -p script back')).code).toBe(0);
    for (const copy of [path.join(host.home, 'script'), path.join(host.folder, 'back')]) {
      const { mode, mtimeMs } = await stat(copy);
      expect({ mode: mode & 0o777, mtimeMs }).toEqual({ mode: 0o751, mtimeMs: 1_000_000_001_000 });
    }
  });

  test('a transfer that broke off goes on where it was', async () => {
    const host = await sshHost();
    const data = randomBytes(3 * MEGABYTE);
    await writeFile(path.join(host.home, 'whole'), data);
    await writeFile(path.join(host.folder, 'part'), data.subarray(0, MEGABYTE));
    await writeFile(path.join(host.home, 'half'), data.subarray(0, 2 * MEGABYTE));
    await writeFile(path.join(host.folder, 'local'), data);
    expect((await sftp(host, 'reget whole part', 'reput local half')).code).toBe(0);
    expect(await hashOf(path.join(host.folder, 'part'))).toBe(await hashOf(path.join(host.home, 'whole')));
    expect(await hashOf(path.join(host.home, 'half'))).toBe(await hashOf(path.join(host.home, 'whole')));
  });

  test('a whole tree goes there and back, with hundreds of files and names of any bytes', async () => {
    const host = await sshHost();
    const tree = path.join(host.folder, 'tree');
    await mkdir(path.join(tree, 'deep', 'er'), { recursive: true });
    await Promise.all(Array.from({ length: 250 }, (_, index) => writeFile(path.join(tree, `file ${index}`), String(index))));
    const odd = Buffer.concat([Buffer.from(`${tree}/deep/er/`), Buffer.from([0xff, 0xe9, 0x20, 0x27]), Buffer.from('ü"')]);
    await writeFile(odd, 'odd');
    expect((await sftp(host, 'put -r tree', 'get -r tree back')).code).toBe(0);
    expect(await readdir(path.join(host.folder, 'back'))).toHaveLength(251);
    expect(await readdir(path.join(host.folder, 'back/deep/er'), { encoding: 'latin1' })).toEqual(['\xff\xe9 \'\xc3\xbc"']);
    expect(await readFile(path.join(host.home, 'tree/file 249'), 'utf8')).toBe('249');
  });

  test('what cannot be done is said in words, and the transfer goes on', async () => {
    const host = await sshHost();
    await mkdir(path.join(host.home, 'full/inside'), { recursive: true });
    await writeFile(path.join(host.home, 'there'), 'first');
    await writeFile(path.join(host.folder, 'file'), 'second');
    const ran = await sftp(
      host,
      '-get missing',
      '-ls missing',
      '-rmdir full',
      '-mkdir full',
      '-ln missing other',
      '-put file no/such/folder',
      'put file ok',
    );
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/missing" not found/);
    expect(ran.stderr).toMatch(/remote rmdir ".*full": Failure/);
    expect(await readFile(path.join(host.home, 'ok'), 'utf8')).toBe('second');
  });

  test('a rename replaces nothing unless the client asks for that', async () => {
    const host = await sshHost();
    await writeFile(path.join(host.home, 'a'), 'a');
    await writeFile(path.join(host.home, 'b'), 'b');
    const plain = await sftp(host, 'rename -l a b');
    expect(plain.code).toBe(1);
    expect(await readFile(path.join(host.home, 'b'), 'utf8')).toBe('b');
    expect((await sftp(host, 'rename a b')).code).toBe(0);
    expect(await readFile(path.join(host.home, 'b'), 'utf8')).toBe('a');
  });

  test('the space of the file system is told', async () => {
    const host = await sshHost();
    const { code, stdout } = await sftp(host, 'df -h');
    expect(code).toBe(0);
    expect(String(stdout)).toMatch(/\d+%/);
  });

  test.runIf(isLinux)('no file stays open when a client leaves in the middle', async () => {
    const host = await sshHost();
    await writeFile(path.join(host.home, 'kept open'), 'x');
    const client = new ssh2.Client();
    client.on('error', () => undefined);
    client.connect({ host: '127.0.0.1', port: host.port, username: 'ada' });
    await once(client, 'ready');
    await new Promise<void>((resolve, reject) => {
      client.sftp((error, session) => {
        if (error) reject(error);
        else session.open('kept open', 'r', (failure) => (failure ? reject(failure) : resolve()));
      });
    });
    expect(await openFiles(host.home)).toHaveLength(1);
    client.destroy();
    await until(async () => (await openFiles(host.home)).length === 0);
  });

  test.runIf(isLinux)('no file stays open when a client reads no answers any more, and leaves', async () => {
    const host = await sshHost();
    await writeFile(path.join(host.home, 'large'), Buffer.alloc(MEGABYTE));
    const client = spawn('ssh', ['-F', host.config, '-s', 'ws', 'sftp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    client.stdin.on('error', () => undefined);
    client.stdin.write(packet(REQUESTS.init, uint32(3)));
    client.stdin.write(packet(REQUESTS.open, uint32(1), text('large'), uint32(1), uint32(0)));
    for (let id = 2; id < 300; id += 1) client.stdin.write(packet(REQUESTS.read, uint32(id), text('1'), uint64(0), uint32(DATA_MAX)));
    await until(async () => (await openFiles(host.home)).length === 1);
    client.kill('SIGKILL');
    await until(async () => (await openFiles(host.home)).length === 0 && host.server.sessions.ssh === 0);
  });

  test('a pipe or a folder that is asked for as a file holds nothing up', async () => {
    const host = await sshHost();
    await host.ssh(['ws', 'mkfifo ~/pipe; mkdir ~/folder']);
    const client = new ssh2.Client();
    onTestFinished(() => void client.end());
    client.on('error', () => undefined);
    client.connect({ host: '127.0.0.1', port: host.port, username: 'ada' });
    await once(client, 'ready');
    const outcome = await new Promise((resolve) => {
      client.sftp((_error, session) => {
        session.readFile('folder', (error) => session.readFile('pipe', (_failure, data) => resolve({ error: error?.message, data })));
      });
    });
    expect(outcome).toEqual({ error: 'illegal operation on a directory', data: undefined });
  });
});

describe.skipIf(!hasScp)('with OpenSSH’s scp', { timeout: TIMEOUT_MS }, () => {
  test.each([
    ['over sftp', []],
    ['over its old protocol', ['-O']],
  ])('a tree goes there and back %s, with its modes and times', async (_way, options) => {
    const host = await sshHost();
    const tree = path.join(host.folder, 'tree');
    await mkdir(path.join(tree, 'inner'), { recursive: true });
    const data = randomBytes(5 * MEGABYTE);
    await writeFile(path.join(tree, 'inner/data'), data);
    await writeFile(path.join(tree, 'run me'), 'run', { mode: 0o755 });
    await utimes(path.join(tree, 'run me'), 1_000_000_000, 1_000_000_001);
    const scp = (from: string, to: string) => run('scp', [...options, '-q', '-r', '-p', '-F', host.config, from, to]);
    expect(await scp(tree, 'ws:copy')).toMatchObject({ code: 0, stderr: '' });
    expect(await scp('ws:copy', path.join(host.folder, 'back'))).toMatchObject({ code: 0, stderr: '' });
    const back = path.join(host.folder, 'back');
    expect((await readFile(path.join(back, 'inner/data'))).equals(data)).toBe(true);
    const { mode, mtimeMs } = await lstat(path.join(back, 'run me'));
    expect({ mode: mode & 0o777, mtimeMs }).toEqual({ mode: 0o755, mtimeMs: 1_000_000_001_000 });
  });

  test('a link is followed as the client means it, and a missing file is an error', async () => {
    const host = await sshHost();
    await writeFile(path.join(host.home, 'target'), 'target');
    await symlink('target', path.join(host.home, 'link'));
    expect((await run('scp', ['-q', '-F', host.config, 'ws:link', path.join(host.folder, 'got')])).code).toBe(0);
    expect(await readFile(path.join(host.folder, 'got'), 'utf8')).toBe('target');
    expect((await run('scp', ['-q', '-F', host.config, 'ws:missing', host.folder])).code).toBe(1);
  });
});

/** Files of a folder that this process, in which the server runs, has open. */
async function openFiles(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}
