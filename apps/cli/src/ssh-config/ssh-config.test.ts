import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { findBlock, parseSshOption, renderBlock, UnsafeConfigError, withBlock, withoutBlock } from './block.ts';
import type { BlockOptions } from './block.ts';
import { diffOf } from './diff.ts';
import { bytesOf, readConfig, writeConfig } from './file.ts';

const PLAIN: BlockOptions = { command: ['/usr/bin/berth'], sshArguments: [], hosts: [], options: [], platform: 'linux' };
const WORDS = [
  'Host',
  'Host *',
  '\n',
  '\r',
  '\0',
  '\u2028',
  ' ',
  '\t',
  '"',
  "'",
  '\\',
  '#',
  '%',
  '=',
  '$(id)',
  '`',
  ';',
  'ProxyCommand',
  'a',
  'é',
];
/** Anything, and above all what a configuration or a shell could read as something else. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((parts) => parts.join('')),
);
const file = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)) }),
  fc.array(fc.constantFrom('\n', '\r\n', 'Host a', '  User b', '# é', ' '), { maxLength: 12 }).map((parts) => parts.join('')),
);

/** Null when it was refused. */
function rendered(options: Partial<BlockOptions>): string | null {
  try {
    return renderBlock({ ...PLAIN, ...options });
  } catch (error) {
    expect(error).toBeInstanceOf(UnsafeConfigError);
    return null;
  }
}

const keywordsOf = (block: string): string[] => block.split('\n').flatMap((line) => /^\s*([A-Za-z]+)/.exec(line)?.[1] ?? []);

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'berth ssh-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

describe('security', () => {
  test('whatever a path, a name or an option says, the section has the lines that it is to have and ends where it ends', () => {
    const usual = keywordsOf(renderBlock(PLAIN));
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (word, host, name, value) => {
        const lines: [Partial<BlockOptions>, readonly string[]][] = [
          [{ command: [word] }, usual],
          [{ sshArguments: [word] }, usual],
          [{ hosts: [host] }, ['Host', ...usual]],
          [{ options: [{ name, value }] }, [usual[0] ?? '', name, ...usual.slice(1)]],
          [{ options: [{ name: 'SetEnv', value }] }, [usual[0] ?? '', 'SetEnv', ...usual.slice(1)]],
        ];
        for (const [options, expected] of lines) {
          const block = rendered(options);
          if (block === null) continue;
          expect(keywordsOf(block)).toEqual(expected);
          expect(findBlock(`Host a\n${block}Host b\n`)).toEqual({ before: 'Host a\n', block, after: 'Host b\n' });
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['Host *', 'match all', 'Include /etc/passwd', 'ProxyCommand=id', 'ProxyJump=evil', 'LocalCommand id', 'KnownHostsCommand=id'])(
    'the option %s is refused',
    (option) => {
      expect(() => parseSshOption(option)).toThrow(UnsafeConfigError);
    },
  );

  test.each(['A=b\nHost *', 'A=b\r\n  ProxyCommand id', 'A', '=b', 'A\n=b', 'A='])('%j is no option', (option) => {
    expect(() => parseSshOption(option)).toThrow(UnsafeConfigError);
  });

  test('the shell of ssh hands every argument on as it is', () => {
    const word = hostile.filter((text) => rendered({ command: [text] }) !== null && Buffer.from(text).toString() === text);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        const block = renderBlock({ ...PLAIN, command: ['/usr/bin/printf', String.raw`%s\0`, ...words] });
        const line = /ProxyCommand (.*)$/m.exec(block)?.[1] ?? '';
        const said = execFileSync('/bin/sh', ['-c', line.replaceAll('%%', '%')], { encoding: 'utf8' });
        expect(said.split('\0').slice(0, words.length)).toEqual(words);
      }),
      { numRuns: 40 },
    );
  });
});

describe('what OpenSSH reads', () => {
  const ask = async (block: string, host: string): Promise<string> => {
    const config = path.join(await folder(), 'config');
    await writeConfig(config, bytesOf(block));
    return execFileSync('ssh', ['-G', '-F', config, host], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };

  test('a path with spaces, quotes, percent signs and backslashes is the one that runs', async () => {
    const program = `/opt/my tools/it's "50%" \\ done/berth`;
    const said = await ask(renderBlock({ ...PLAIN, command: [program] }), 'berth.harbour');
    expect(said).toContain(String.raw`proxycommand /opt/my\ tools/it\'s\ \"50%%\"\ \\\ done/berth ssh --stdio --ssh-host '%h'`);
  });

  test('options of the person win over ours, for hosts of Berth only', async () => {
    const block = renderBlock({ ...PLAIN, options: [parseSshOption('LogLevel=DEBUG'), parseSshOption('SetEnv  LC_ONE="two three"')] });
    expect(await ask(block, 'berth.harbour')).toContain('loglevel DEBUG');
    expect(await ask(block, 'example.com')).not.toContain('berth');
  });

  test('a listed host gets what every host gets', async () => {
    expect(await ask(renderBlock({ ...PLAIN, hosts: ['harbour', 'ada--mast.main'] }), 'berth.ada--mast.main')).toContain('--ssh-host');
  });

  test('security: a host that would leave its quotes is none of ours', async () => {
    const block = renderBlock(PLAIN);
    const said = await ask(block, "berth.x'$(id)'").catch(() => 'refused');
    expect(said).not.toContain('--ssh-host');
  });
});

describe('the file', () => {
  test('every byte around the section stays, however often it is written and taken out', () => {
    const block = renderBlock(PLAIN);
    const next = renderBlock({ ...PLAIN, hosts: ['harbour'] });
    fc.assert(
      fc.property(file, file, (before, after) => {
        const once = withBlock(before, block);
        expect(once.startsWith(before)).toBe(true);
        expect([before, `${before}\n`]).toContain(withoutBlock(once));
        const moved = `${once}${after}`;
        expect(withBlock(withBlock(moved, next), block)).toBe(moved);
        expect(withoutBlock(before)).toBe(before);
      }),
    );
  });

  test('half a section, or two, are left to the person', () => {
    const block = renderBlock(PLAIN);
    const [begin = ''] = block.split('\n');
    for (const broken of [`${begin}\n`, `${block}${block}`, block.replace(begin, ''), block.split('\n').toReversed().join('\n')]) {
      expect(() => withBlock(broken, block)).toThrow('by hand');
    }
  });

  test('it is replaced in one step and only its owner may read it; a link stays a link', async () => {
    const where = await folder();
    const real = path.join(where, 'dotfiles');
    await writeFile(real, Buffer.from([0x23, 0xff, 0xfe, 0x0a]));
    await chmod(real, 0o644);
    const link = path.join(where, 'config');
    await symlink(real, link);
    const before = await readConfig(link);
    await writeConfig(link, withBlock(before, bytesOf(renderBlock({ ...PLAIN, command: ['/opt/é/berth'] }))));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o600);
    const bytes = await readFile(real);
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x23, 0xff, 0xfe, 0x0a]));
    expect(bytes.toString('utf8')).toContain('/opt/é/berth');
    expect((await readdir(where)).toSorted()).toEqual(['config', 'dotfiles']);
  });

  test('no file is an empty one, and its folder is made', async () => {
    const config = path.join(await folder(), '.ssh', 'config');
    expect(await readConfig(config)).toBe('');
    await writeConfig(config, 'a');
    expect((await stat(path.dirname(config))).mode & 0o777).toBe(0o700);
    expect(await readConfig(config)).toBe('a');
  });
});

test('a difference shows what goes, what comes and a little around it', () => {
  expect(diffOf('a\nb\nc\nd\ne\n', 'a\nb\nc\nx\ne\n', 'config')).toBe('--- config\n+++ config\n@@ -1,5 +1,5 @@\n a\n b\n c\n-d\n+x\n e\n');
  expect(diffOf('', 'a\n', 'config')).toContain('\n+a\n');
  expect(diffOf('a', 'a', 'config')).toBe('');
});
