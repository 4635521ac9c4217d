import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import type { Header } from 'tar-stream';
import { z } from 'zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unpackTar } from './archive.ts';
import { DriverError } from './driver.ts';

let base = '';
let directory = '';

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'berth-archive-'));
  directory = join(base, 'inside');
  await mkdir(directory);
});
afterEach(() => rm(base, { recursive: true, force: true }));

type EntryOf = Partial<Header> & { name: string; content?: string };

async function tar(entries: readonly EntryOf[]): Promise<Buffer> {
  const packed = pack();
  for (const { content = '', ...header } of entries) packed.entry({ ...header }, content);
  packed.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of packed) chunks.push(z.instanceof(Uint8Array).parse(chunk));
  return Buffer.concat(chunks);
}

const unpack = async (bytes: Buffer, limits = { bytes: 1000, entries: 5 }) =>
  await unpackTar(Readable.from([bytes]), { directory, limits });

describe('unpacking a template archive', () => {
  it('makes files and folders, with nobody else allowed to read them', async () => {
    await unpack(
      await tar([
        { name: './', type: 'directory' },
        { name: './berth.yaml', content: 'version: 1' },
        { name: 'scripts/', type: 'directory', mode: 0o777 },
        { name: 'scripts/deep/run.sh', content: 'x', mode: 0o777 },
      ]),
    );
    expect(await readFile(join(directory, 'berth.yaml'), 'utf8')).toBe('version: 1');
    expect((await stat(join(directory, 'berth.yaml'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'scripts/deep/run.sh'))).mode & 0o777).toBe(0o700);
  });

  const refused: [string, EntryOf[], string][] = [
    ['a path out of the folder', [{ name: '../out' }], 'leads out of the folder'],
    ['a path out of the folder, hidden', [{ name: 'a/../../out' }], 'leads out of the folder'],
    ['an absolute path', [{ name: '/tmp/out' }], 'has an absolute path'],
    ['a drive', [{ name: 'C:/out' }], 'has an absolute path'],
    ['a backslash', [{ name: '..\\out' }], 'not allowed'],
    ['a symbolic link', [{ name: 'link', type: 'symlink', linkname: '/etc/passwd' }], 'is a symlink: only files and folders'],
    ['a hard link', [{ name: 'link', type: 'link', linkname: 'berth.yaml' }], 'is a link: only files and folders'],
    ['a device', [{ name: 'null', type: 'character-device' }], 'is a character-device'],
    ['a pipe', [{ name: 'pipe', type: 'fifo' }], 'is a fifo'],
    ['a file twice', [{ name: 'a' }, { name: './a' }], 'is there twice'],
    ['a file under a file', [{ name: 'a' }, { name: 'a/b' }], 'lies under a file'],
    ['too deep a path', [{ name: `${'a/'.repeat(40)}b` }], 'lies deeper than 32 folders'],
    ['too many entries', ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name })), 'has more than 5 entries'],
    [
      'too many bytes',
      [
        { name: 'a', content: 'x'.repeat(600) },
        { name: 'b', content: 'x'.repeat(600) },
      ],
      'more than 1000 bytes',
    ],
  ];

  it.each(refused)('refuses %s, and says so', async (_, entries, message) => {
    const attempt = unpack(await tar(entries));
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toBeInstanceOf(DriverError);
    expect(await readdir(base)).toEqual(['inside']);
  });

  it('refuses what is no tar, and one that is cut off', async () => {
    await expect(unpack(Buffer.alloc(2048, 'x'))).rejects.toThrow('cannot be read');
    const whole = await tar([{ name: 'a', content: 'x'.repeat(900) }]);
    await expect(unpack(whole.subarray(0, 700))).rejects.toThrow('cannot be read: Unexpected end of data');
  });

  it('reads no further than the limit, whatever the headers say', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(64 * 1024);
      })(),
    );
    await expect(unpackTar(endless, { directory, limits: { bytes: 1_000_000, entries: 5 } })).rejects.toThrow('more than');
  });
});
