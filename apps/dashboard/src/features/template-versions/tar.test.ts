import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tarOf } from './tar.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

test('the archive holds every file, byte for byte, as the system’s tar reads it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-tar-'));
  try {
    const files = [
      { name: 'berth.yaml', bytes: bytes('version: 1\n') },
      { name: 'scripts/start — long.sh', bytes: bytes('x'.repeat(512)) },
      { name: 'empty', bytes: bytes('') },
    ];
    writeFileSync(join(folder, 'a.tar'), new Uint8Array(await tarOf(files).arrayBuffer()));
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder });
    for (const file of files) expect(readFileSync(join(folder, file.name))).toEqual(Buffer.from(file.bytes));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a path that does not fit is refused, not cut off', () => {
  expect(() => tarOf([{ name: `${'a'.repeat(101)}`, bytes: bytes('') }])).toThrow('too long');
});
