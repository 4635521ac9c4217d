import { buffer } from 'node:stream/consumers';
import { zipSync } from 'fflate';
import type { Header } from 'tar-stream';
import { pack } from 'tar-stream';
import { describe, expect, test, vi } from 'vitest';
import { MAX_ENTRIES, MAX_EXPANDED_BYTES } from './archive-rules.ts';
import { readTar, writeTar } from './tar.ts';
import { readZip, writeZip } from './zip.ts';

const text = (value: string) => new TextEncoder().encode(value);

type Entry = Partial<Header> & { readonly name: string; readonly body?: string };

async function tarOf(...entries: Entry[]): Promise<Uint8Array> {
  const archive = pack();
  for (const { body = '', ...header } of entries) {
    if (header.type === undefined) archive.entry(header, body);
    else archive.entry(header);
  }
  archive.finalize();
  return new Uint8Array(await buffer(archive));
}

const read = (tar: Uint8Array) => readTar(tar, { keepBytes: true });

describe('a tar', () => {
  test('gives its files with their plain paths and content', async () => {
    const files = await read(await tarOf({ name: './berth.yaml', body: 'a: 1' }, { name: 'bin/run', body: '#!', mode: 0o755 }));
    expect(files.map(({ path, bytes, isExecutable }) => [path, new TextDecoder().decode(bytes), isExecutable])).toEqual([
      ['berth.yaml', 'a: 1', false],
      ['bin/run', '#!', true],
    ]);
  });

  test('may be empty', async () => {
    await expect(read(new Uint8Array(1024))).resolves.toEqual([]);
  });

  test.each(['../out', 'a/../../out', '/etc/passwd', 'C:/windows', 'a\\..\\b'])('with the path %s is refused', async (name) => {
    await expect(read(await tarOf({ name, body: 'x' }))).rejects.toMatchObject({ kind: 'invalid' });
  });

  test.each([
    ['a link to an absolute path', { name: 'link', type: 'symlink', linkname: '/etc/passwd' }],
    ['a link out of the folder', { name: 'a/link', type: 'symlink', linkname: '../../out' }],
    ['a hard link out of the folder', { name: 'link', type: 'link', linkname: '../out' }],
    ['a device', { name: 'disk', type: 'block-device' }],
    ['a pipe', { name: 'pipe', type: 'fifo' }],
  ] as const)('with %s is refused', async (_, header) => {
    await expect(read(await tarOf({ ...header }))).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('may have links that stay inside, but nothing is written through one', async () => {
    const link = { name: 'a/link', type: 'symlink', linkname: '../b' } as const;
    await expect(read(await tarOf(link))).resolves.toEqual([]);
    await expect(read(await tarOf(link, { name: 'a/link/file', body: 'x' }))).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('with too many entries is refused', async () => {
    const archive = pack();
    for (let index = 0; index <= MAX_ENTRIES; index += 1) archive.entry({ name: `f${index}`, type: 'directory' });
    archive.finalize();
    await expect(read(new Uint8Array(await buffer(archive)))).rejects.toMatchObject({ kind: 'invalid' });
  });

  test.each([
    ['text', text('this is no archive at all')],
    ['a cut-off archive', new Uint8Array(700).fill(65)],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('a zip', () => {
  test('becomes the same tar each time, with the same files', async () => {
    const zip = zipSync({ 'b.txt': text('b'), 'dir/a.txt': text('a') });
    const [one, two] = await Promise.all([writeTar(readZip(zip)), writeTar(readZip(zip))]);
    expect(one).toEqual(two);
    expect((await read(one)).map(({ path }) => path)).toEqual(['b.txt', 'dir/a.txt']);
  });

  test('made from a tar has its files', async () => {
    const files = await read(await tarOf({ name: 'a/b', body: 'hello' }));
    expect(readZip(writeZip(files))).toMatchObject([{ path: 'a/b', bytes: text('hello') }]);
  });

  test.each(['America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati'])('has the same bytes on a server in %s as in UTC', (zone) => {
    const bytesIn = (timeZone: string) => {
      vi.stubEnv('TZ', timeZone);
      return writeZip([{ path: 'berth.yaml', bytes: text('version: 1'), isExecutable: false }]);
    };
    try {
      expect(bytesIn(zone)).toEqual(bytesIn('UTC'));
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each(['../out', '/etc/passwd', 'a/../../b'])('with the path %s is refused', (name) => {
    expect(() => readZip(zipSync({ [name]: text('x') }))).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });

  test('that would grow beyond the limit is refused before it is unpacked', () => {
    const zip = zipSync({ bomb: new Uint8Array(MAX_EXPANDED_BYTES + 1) });
    expect(zip.length).toBeLessThan(1024 * 1024);
    expect(() => readZip(zip)).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });

  test('that lies about its size gets no more room than it claims', () => {
    const zip = zipSync({ bomb: new Uint8Array(5_000_000) });
    // The uncompressed size, in the directory entry at the end of the file.
    const view = new DataView(zip.buffer, zip.byteOffset);
    const entry = view.getUint32(zip.length - 22 + 16, true);
    view.setUint32(entry + 24, 10, true);
    const claimed = (() => {
      try {
        return readZip(zip).reduce((sum, file) => sum + file.bytes.byteLength, 0);
      } catch {
        return 0;
      }
    })();
    expect(claimed).toBeLessThanOrEqual(10);
  });

  test('that is text is refused', () => {
    expect(() => readZip(text('this is no archive at all'))).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });
});
