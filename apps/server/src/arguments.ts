import { parseArgs } from 'node:util';

/** An option of a command: a flag, or one that takes a value. */
type Options = Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>;

interface Command {
  /** Printed for `--help`. Its first line is the usage, which a refusal repeats. */
  readonly help: string;
  readonly options?: Options;
  /** How many arguments that are no options it takes at most; none unless given. */
  readonly positionals?: number;
}

interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/** Arguments that a command does not have. Its exit code is 2, and its message ends with the usage. */
export class UsageError extends Error {}

/** The arguments of a command; null when they ask for help, which has been printed then. @throws UsageError for any that it does not have. */
export function readArguments({ help, options = {}, positionals: most = 0 }: Command, args = process.argv.slice(2)): Arguments | null {
  const usage = help.split('\n', 1)[0] ?? '';
  const parsed = parsedArgs(args, options, usage);
  if (parsed.values['help'] === true) {
    process.stdout.write(help);
    return null;
  }
  const unknown = parsed.positionals[most];
  if (unknown !== undefined) throw new UsageError(`Unknown argument "${unknown}".\n${usage}`);
  return parsed;
}

function parsedArgs(args: readonly string[], options: Options, usage: string): Arguments {
  try {
    return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Of Node's explanation the first sentence names the option; the others are about its own syntax.
    throw new UsageError(`${error.message.split('. ', 1)[0] ?? ''}.\n${usage}`, { cause: error });
  }
}
