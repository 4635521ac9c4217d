import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'berth-folder-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const MODULE = join(import.meta.dirname, 'data-folder.ts');
const inSandbox = (script: string) =>
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', process.execPath, '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
  });
const hasSandbox = inSandbox('').status === 0;

describe('a data folder', () => {
  it('is made with all that is above it, for its owner only, and nothing is left in it', () => {
    const folder = join(base, 'a', 'b', 'c');
    prepareDataFolder(folder, 0o700);
    prepareDataFolder(folder, 0o700);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['file', 'file/below', 'file/far/below'])('is refused where a file is in the way: %s', (name) => {
    const file = join(base, 'file');
    writeFileSync(file, '');
    expect(() => prepareDataFolder(join(base, name), 0o700)).toThrow(`${file} is not a folder`);
  });

  it.runIf(existsSync('/proc/self'))('is refused at once where the file system takes no folders', () => {
    expect(() => prepareDataFolder('/proc/berth-data', 0o700)).toThrow(
      'The folder /proc/berth-data cannot be created: the file system of /proc does not allow new folders.',
    );
    expect(() => prepareDataFolder('/proc/berth-data/far/below', 0o700)).toThrow('The folder /proc/berth-data cannot be created');
  });

  it.runIf(hasSandbox)('is refused on a read-only file system with that reason, whether it exists or not', () => {
    for (const folder of [join(base, 'new'), base]) {
      const script = `import { prepareDataFolder } from ${JSON.stringify(MODULE)}; prepareDataFolder(${JSON.stringify(folder)}, 0o700);`;
      expect(inSandbox(script).stderr).toMatch(new RegExp(`DataFolderError: The folder ${folder} .*: it is on a read-only file system\\.`));
    }
  });
});
