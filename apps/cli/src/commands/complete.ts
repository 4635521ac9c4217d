import type { Candidate, Expected } from '../completion/candidates.ts';
import { expectedAt } from '../completion/candidates.ts';
import { openSession } from '../frame/connect.ts';
import type { Io } from '../frame/io.ts';
import { plain } from '../frame/plain-text.ts';
import { SessionStore } from '../frame/sessions.ts';
import { SECTIONS } from './catalog.ts';

/** Nobody waits longer than this for a completion. */
const LOOKUP_MS = 1500;
const FOUND_MAX = 200;
/** What a shell takes as one word without quotes. Whatever else a server may send is left out. */
const HARMLESS = /^[\w@%+=:,./-]+$/;

/** Prints what could stand at the end of a command line: `word<TAB>about` per line, or `:files`. Says nothing when it cannot know. */
export async function complete(argv: readonly string[], io: Io): Promise<number> {
  const words = argv[0] === '--' ? argv.slice(1) : argv;
  const current = words.at(-1) ?? '';
  try {
    const found = await candidates(words.slice(0, -1), current, io);
    const fitting = found.filter(({ word }) => word.startsWith(current) && (word === ':files' || HARMLESS.test(word)));
    io.stdout.write(fitting.map(({ word, about }) => `${word}\t${plain(about)}\n`.replace(/^:files\t.*$/m, ':files')).join(''));
  } catch {
    // A completion that fails is one that is not there.
  }
  return 0;
}

async function candidates(before: readonly string[], current: string, io: Io): Promise<readonly Candidate[]> {
  const [name, ...others] = before;
  const entries = SECTIONS.flatMap((section) => section.entries);
  if (name === undefined) return entries.map((entry) => ({ word: entry.name, about: entry.summary }));
  const entry = entries.find((one) => one.name === name || one.aliases?.includes(name) === true);
  if (entry === undefined) return [];
  const expected: Expected = expectedAt(await entry.load(), others, current);
  if (expected.kind === 'words') return expected.words;
  if (typeof expected.what !== 'string') return [];
  if (expected.what === 'file') return [{ word: ':files', about: '' }];
  return lookUp(expected.what, current, { ...io, signal: AbortSignal.any([io.signal, AbortSignal.timeout(LOOKUP_MS)]) });
}

async function lookUp(what: 'workspace' | 'template' | 'organization' | 'group', current: string, io: Io): Promise<readonly Candidate[]> {
  const { client } = openSession(io, new SessionStore(io), { url: undefined, token: undefined });
  switch (what) {
    case 'workspace': {
      // Others' workspaces are named with their owner.
      const isOwned = current.includes('/');
      const { workspaces } = await client.workspaces.list.query({ q: isOwned ? '' : 'owner:me', limit: FOUND_MAX });
      return workspaces.map((one) => ({
        word: isOwned ? `${one.owner_name}/${one.name}` : one.name,
        about: one.latest_build.status,
      }));
    }
    case 'template': {
      const templates = await client.templates.list.query({ limit: FOUND_MAX });
      return templates.map(({ name, display_name }) => ({ word: name, about: display_name }));
    }
    case 'organization': {
      const organizations = await client.organizations.list.query({});
      return organizations.map(({ name, display_name }) => ({ word: name, about: display_name }));
    }
    case 'group': {
      const groups = await client.groups.list.query({});
      return groups.map(({ name, display_name }) => ({ word: name, about: display_name }));
    }
  }
}
