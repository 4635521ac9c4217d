import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnv, settingWarnings } from './env.ts';

const folder = await mkdtemp(join(tmpdir(), 'berth-env-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const NEEDED = {
  BERTH_URL: 'https://berth.example.com/',
  BERTH_PROVISIONER_KEY: 'key',
  BERTH_PROVISIONER_NAME: 'one',
  BERTH_PROVISIONER_DATA_DIR: '/data',
  BERTH_AGENT_DIR: '/agent',
};

describe('the settings of a daemon', () => {
  it('are few: the rest has defaults', () => {
    expect(readEnv(NEEDED)).toMatchObject({
      serverUrl: 'https://berth.example.com',
      key: 'key',
      concurrency: 3,
      drivers: [],
      tags: {},
      drainMs: 10_000,
      terraformBinary: '',
    });
  });

  it('restrict its drivers and give it tags', () => {
    const env = readEnv({ ...NEEDED, BERTH_PROVISIONER_DRIVERS: 'terraform, process', BERTH_PROVISIONER_TAGS: 'zone=eu, url=a=b,empty=' });
    expect(env.drivers).toEqual(['terraform', 'process']);
    expect(env.tags).toEqual({ zone: 'eu', url: 'a=b', empty: '' });
  });

  it.each([
    [{ BERTH_PROVISIONER_DRIVERS: 'docker' }, /BERTH_PROVISIONER_DRIVERS/],
    [{ BERTH_PROVISIONER_TAGS: 'zone' }, /BERTH_PROVISIONER_TAGS.*must be key=value/],
    [{ BERTH_PROVISIONER_DRAIN_SECONDS: 'soon' }, /BERTH_PROVISIONER_DRAIN_SECONDS must be a whole number/],
    [{ BERTH_URL: 'ftp://berth' }, /BERTH_URL/],
  ])('are refused by name when they are wrong: %o', (wrong, sentence) => {
    expect(() => readEnv({ ...NEEDED, ...wrong })).toThrow(sentence);
  });

  it('take the key from a file', async () => {
    const file = join(folder, 'key');
    await writeFile(file, '\n from-a-file \n');
    await chmod(file, 0o600);
    const { BERTH_PROVISIONER_KEY: _, ...keyless } = NEEDED;
    expect(readEnv({ ...keyless, BERTH_PROVISIONER_KEY_FILE: file }).key).toBe('from-a-file');
    expect(() => readEnv({ ...keyless, BERTH_PROVISIONER_KEY_FILE: join(folder, 'none') })).toThrow(/none with its key cannot be read/);
    await writeFile(file, '\n');
    expect(() => readEnv({ ...keyless, BERTH_PROVISIONER_KEY_FILE: file })).toThrow(/is empty/);
    expect(() => readEnv(keyless)).toThrow(/BERTH_PROVISIONER_KEY: is missing/);
  });

  it('warn of a misspelled name, and not of what a server on the same host reads', () => {
    const server = { BERTH_HTTP_ADDRESS: 'x', BERTH_DATA_DIR: 'x', BERTH_PROVISIONER_DAEMONS: '0', BERTH_ACCESS_URL: 'x' };
    expect(settingWarnings({ ...NEEDED, ...server })).toEqual([]);
    expect(settingWarnings({ ...NEEDED, BERTH_PROVISIONER_KEYFILE: '/key', BERTH_PROVISIONER_COUNT: '2' })).toEqual([
      'BERTH_PROVISIONER_COUNT is not a setting of Berth, so it has no effect.',
      'BERTH_PROVISIONER_KEYFILE is not a setting of Berth. Did you mean BERTH_PROVISIONER_KEY_FILE?',
    ]);
  });
});
