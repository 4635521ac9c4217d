import { describe, expect, it } from 'vitest';
import type { Group, Leaf } from '../frame/declare.ts';
import { run } from '../testing/run.ts';
import { SECTIONS } from './catalog.ts';

const entries = SECTIONS.flatMap((section) => section.entries);
const loaded = await Promise.all(entries.map(async (entry) => ({ entry, declared: await entry.load() })));

function leaves(declared: Leaf | Group, path: readonly string[] = []): readonly { path: readonly string[]; leaf: Leaf }[] {
  const here = [...path, declared.name];
  return declared.kind === 'command' ? [{ path: here, leaf: declared }] : declared.commands.flatMap((child) => leaves(child, here));
}
const all = loaded.flatMap(({ declared }) => leaves(declared));

describe('the catalog', () => {
  it('says of each command what its module says', () => {
    for (const { entry, declared } of loaded) {
      expect({ name: entry.name, aliases: entry.aliases, summary: entry.summary }).toEqual({
        name: declared.name,
        aliases: declared.aliases,
        summary: declared.summary,
      });
    }
  });

  it('calls no two commands by one word', () => {
    const words = entries.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(words).size).toBe(words.length);
  });
});

describe('every command', () => {
  it('has a summary, examples that call it, and described arguments and options', () => {
    for (const { path, leaf } of all) {
      const called = path.join(' ');
      expect(leaf.summary, called).toMatch(/^[A-Z].*[^.]$/);
      expect(leaf.examples.length, called).toBeGreaterThan(0);
      expect(leaf.examples[0], called).toMatch(new RegExp(`\\bberth (${path.map((word) => word).join(' ')})\\b`));
      for (const { description } of [...Object.values(leaf.args), ...Object.values(leaf.options)]) expect(description, called).not.toBe('');
    }
  });

  it('shows all of that when it is asked for help, and takes -o where it prints data', async () => {
    for (const { path, leaf } of all) {
      const { code, stdout } = await run(['help', ...path]);
      expect(code, path.join(' ')).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stdout.includes('-o, --output <format>'), path.join(' ')).toBe(leaf.prints);
    }
  });

  it('refuses an option that it does not have, with exit code 2', async () => {
    for (const { path, leaf } of all.filter((one) => one.leaf.passesEverything !== true)) {
      const { code, stderr } = await run([...path, '--no-such-option']);
      expect(code, leaf.name).toBe(2);
      expect(stderr).toContain('--no-such-option');
    }
  });

  it('refuses an argument that it does not take, with exit code 2', async () => {
    const bounded = all.filter(
      ({ leaf }) => Object.values(leaf.args).every(({ arity }) => arity !== 'rest') && leaf.passesEverything !== true,
    );
    expect(bounded.map(({ path }) => path.join(' '))).toEqual(
      expect.arrayContaining(['server', 'audit verify', 'version', 'templates push']),
    );
    for (const { path, leaf } of bounded) {
      const { code, stderr } = await run([...path, ...Object.keys(leaf.args), 'surplus'], { env: { BERTH_CONFIG_DIR: '/nonexistent' } });
      expect(code, path.join(' ')).toBe(2);
      expect(stderr, path.join(' ')).toContain('too many arguments');
    }
  });

  it('that is misspelled is refused with the nearest name, as its options are', async () => {
    expect((await run(['lsit'])).stderr).toContain('Did you mean list?');
    expect((await run(['templates', 'psuh'])).stderr).toContain('Did you mean "berth templates push"?');
    expect((await run(['templates', 'zebra'])).stderr).toContain('berth templates --help');
    expect((await run(['create', '--templat', 'x'])).stderr).toContain('Did you mean --template?');
    expect((await run(['server', '--prot', '1'])).code).toBe(2);
  });

  it('that talks to a server ends with exit code 3 where nobody is signed in, and asks nothing', async () => {
    // These find fault with their words first.
    const particular = ['groups edit', 'port-forward', 'schedule start', 'ssh', 'templates push', 'templates test'];
    const others: string[] = [];
    for (const { path, leaf } of all.filter((one) => one.leaf.isLocal !== true && !['version', 'login'].includes(one.leaf.name))) {
      const words = Object.values(leaf.args).flatMap(({ arity }) => (arity === 'required' ? ['8h'] : []));
      const { code } = await run([...path, ...words], { env: { BERTH_CONFIG_DIR: '/nonexistent' } });
      if (code !== 3) others.push(path.join(' '));
    }
    expect(others.toSorted()).toEqual(particular);
  }, 60_000);
});
