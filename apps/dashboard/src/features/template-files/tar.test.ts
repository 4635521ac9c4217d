import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tarOf } from './tar.ts';
import { filesOfTar } from './untar.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const read = async (archive: Blob) => filesOfTar(new Uint8Array(await archive.arrayBuffer()));

const root = mkdtempSync(join(tmpdir(), 'berth-tar-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = (): string => mkdtempSync(join(root, 'f-'));

const DEEP = `${'folder-with-a-name/'.repeat(7)}start.sh`;
const LONG = `${'n'.repeat(180)}.txt`;
const FILES = [
  { path: 'berth.yaml', bytes: bytes('version: 1\n') },
  { path: DEEP, bytes: bytes('#!/bin/sh\n'), isExecutable: true },
  { path: 'empty', bytes: bytes('') },
  { path: LONG, bytes: bytes('x'.repeat(512)) },
  { path: 'scripts/start — long.sh', bytes: bytes('x'.repeat(513)) },
];

test('what was packed is unpacked the same, with its modes, links and long names', async () => {
  const files = [...FILES, { path: 'link', bytes: bytes(''), link: DEEP }].sort((one, other) => (one.path < other.path ? -1 : 1));
  expect(await read(tarOf(files))).toEqual(files);
});

test('an archive is what the system’s tar reads: bytes, modes, long names and links', async () => {
  const target = folder();
  writeFileSync(
    join(target, 'a.tar'),
    new Uint8Array(await tarOf([...FILES, { path: 'link', bytes: bytes(''), link: 'berth.yaml' }]).arrayBuffer()),
  );
  execFileSync('tar', ['-xf', 'a.tar'], { cwd: target });
  for (const file of FILES) expect(readFileSync(join(target, file.path))).toEqual(Buffer.from(file.bytes));
  expect(statSync(join(target, DEEP)).mode & 0o777).toBe(0o755);
  expect(statSync(join(target, 'berth.yaml')).mode & 0o777).toBe(0o644);
  expect(readlinkSync(join(target, 'link'))).toBe('berth.yaml');
});

describe.each(['gnu', 'pax', 'ustar'])('an archive of the system’s tar in the format %s', (format) => {
  test('is read with all its files', () => {
    const source = folder();
    const known = FILES.filter(({ path }) => format !== 'ustar' || path !== LONG);
    for (const file of known) {
      mkdirSync(dirname(join(source, file.path)), { recursive: true });
      writeFileSync(join(source, file.path), file.bytes, { mode: file.isExecutable === true ? 0o755 : 0o644 });
    }
    symlinkSync('berth.yaml', join(source, 'link'));
    const archive = join(folder(), 'a.tar');
    execFileSync('tar', [`--format=${format}`, '-cf', archive, '-C', source, '.']);
    const files = filesOfTar(new Uint8Array(readFileSync(archive)));
    expect(files).toEqual(
      [...known, { path: 'link', bytes: bytes(''), link: 'berth.yaml' }].sort((one, other) => (one.path < other.path ? -1 : 1)),
    );
  });
});

test('the same files make the same archive, so that the server stores it once', async () => {
  const [one, two] = await Promise.all([tarOf(FILES).arrayBuffer(), tarOf(FILES).arrayBuffer()]);
  expect(new Uint8Array(one)).toEqual(new Uint8Array(two));
});

test('what is no archive, or is cut off, is refused', async () => {
  expect(() => filesOfTar(bytes('a'.repeat(1024)))).toThrow('no tar archive');
  const archive = new Uint8Array(await tarOf([{ path: 'a', bytes: bytes('x'.repeat(600)) }]).arrayBuffer());
  expect(() => filesOfTar(archive.slice(0, 700))).toThrow('ends in the middle');
});
