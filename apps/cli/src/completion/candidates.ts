import type { Completion, Group, Leaf, OptionSpec } from '../frame/declare.ts';
import { longFlag } from '../frame/declare.ts';

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What may stand at the end of a command line: known words, or something that must be looked up. */
export type Expected =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: 'lookup'; readonly what: Completion };

const NOTHING: Expected = { kind: 'words', words: [] };
const SHARED_OPTIONS: readonly OptionSpec<unknown>[] = [
  shared('--url <url>', 'The server', null),
  shared('--token <token>', 'A session token', null),
];
const OUTPUT_OPTION = shared('-o, --output <format>', 'How to print it', ['table', 'json', 'yaml']);
const HELP_OPTION = shared('-h, --help', 'Show help', null);

function shared(flags: string, description: string, complete: Completion | null): OptionSpec<unknown> {
  return { flags, description, complete, isRepeatable: false, read: (given) => given };
}

/** What may come after `before`, the words behind the command's own name, in place of `current`. */
export function expectedAt(declared: Leaf | Group, before: readonly string[], current: string): Expected {
  if (declared.kind === 'group') {
    const [first, ...others] = before;
    if (first === undefined) {
      return { kind: 'words', words: declared.commands.map(({ name, summary }) => ({ word: name, about: summary })) };
    }
    const child = declared.commands.find(({ name, aliases = [] }) => name === first || aliases.includes(first));
    return child === undefined ? NOTHING : expectedAt(child, others, current);
  }
  return expectedInLeaf(declared, before, current);
}

function expectedInLeaf(leaf: Leaf, before: readonly string[], current: string): Expected {
  const options = [
    ...Object.values(leaf.options),
    ...(leaf.prints ? [OUTPUT_OPTION] : []),
    ...(leaf.isLocal === true ? [] : SHARED_OPTIONS),
    HELP_OPTION,
  ];
  const called = (word: string): OptionSpec<unknown> | undefined =>
    options.find(({ flags }) => flags.split(/[ ,]+/).some((part) => part === word && word.startsWith('-')));
  let positions = 0;
  let waiting: OptionSpec<unknown> | undefined;
  for (const word of before) {
    if (waiting !== undefined) {
      waiting = undefined;
      continue;
    }
    if (word === '--') return NOTHING;
    const option = called(word);
    if (option !== undefined) waiting = takesValue(option) ? option : undefined;
    else if (!word.startsWith('-')) positions += 1;
  }
  if (waiting !== undefined) return valueOf(waiting.complete);
  if (current.startsWith('-')) {
    return { kind: 'words', words: options.map((option) => ({ word: longFlag(option.flags), about: option.description })) };
  }
  const args = Object.values(leaf.args);
  const last = args.at(-1);
  const argument = args[positions] ?? (last?.arity === 'rest' ? last : undefined);
  return valueOf(argument?.complete ?? null);
}

function takesValue({ flags }: OptionSpec<unknown>): boolean {
  return flags.includes('<');
}

function valueOf(complete: Completion | null): Expected {
  if (complete === null) return NOTHING;
  if (typeof complete === 'string') return { kind: 'lookup', what: complete };
  return { kind: 'words', words: complete.map((word) => ({ word, about: '' })) };
}
