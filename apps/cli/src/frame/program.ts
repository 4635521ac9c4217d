import { Argument, Command, CommanderError, Option } from 'commander';
import { COMPLETE, SECTIONS } from '../commands/catalog.ts';
import type { CatalogEntry } from '../commands/catalog.ts';
import type { Given, Group, Leaf, OptionSpec } from './declare.ts';
import { longFlag } from './declare.ts';
import { EXIT, asCliError, formatError, formatTrace, usageError } from './errors.ts';
import type { GivenValues } from './in-own-terms.ts';
import { inOwnTerms } from './in-own-terms.ts';
import type { Io } from './io.ts';
import { widthOfTerminal } from './io.ts';
import { nearestOf } from './nearest.ts';
import type { OutputFormat } from './output.ts';
import { VERSION } from './version.ts';

const OUTPUT_FLAGS = '-o, --output <format>';
const URL_FLAGS = '--url <url>';
const TOKEN_FLAGS = '--token <token>';

/** Runs one command line to its end and answers the exit code. Never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  try {
    const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
    if (words[0] === COMPLETE) {
      const { complete } = await import('../commands/complete.ts');
      return await complete(words.slice(1), io);
    }
    const outcome: Outcome = { code: EXIT.ok };
    const program = await buildProgram({ io, outcome, isMeant: (entry) => meant(words) !== '' && isCalled(entry, meant(words)) });
    if (words.length === 0) {
      io.stdout.write(program.helpInformation());
      return EXIT.ok;
    }
    await program.parseAsync(words, { from: 'user' });
    return io.signal.aborted ? EXIT.interrupted : outcome.code;
  } catch (error) {
    // Commander has said what there is to say.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const known = asCliError(error);
    if (io.signal.aborted || known.exitCode === EXIT.interrupted) return EXIT.interrupted;
    io.stderr.write(formatError(known));
    if ((io.env.BERTH_DEBUG ?? '') !== '') io.stderr.write(formatTrace(known));
    return known.exitCode;
  }
}

interface Outcome {
  code: number;
}

interface ProgramOptions {
  readonly io: Io;
  readonly outcome: Outcome;
  /** Whether a command's module is to be loaded; the others stand there by name only. */
  isMeant(entry: CatalogEntry): boolean;
}

async function buildProgram({ io, outcome, isMeant }: ProgramOptions): Promise<Command> {
  const program = new Command('berth')
    .description('Remote development workspaces from the command line.')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpCommand(false)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .addHelpText('after', '\nSee `berth help <command>` for details.');
  prepare(program, io);
  addAddress(program);
  for (const { title, entries } of SECTIONS) {
    for (const entry of entries) {
      // One after the other, and almost always none: only the command that is meant is loaded.
      const command = isMeant(entry) ? toCommander(await entry.load(), { io, outcome, program }) : new Command(entry.name);
      command.summary(entry.summary).helpGroup(`${title}:`);
      if (entry.aliases !== undefined) command.aliases([...entry.aliases]);
      prepare(command, io);
      program.addCommand(command);
    }
  }
  return program;
}

interface Scope {
  readonly io: Io;
  readonly outcome: Outcome;
  readonly program: Command;
}

function toCommander(declared: Leaf | Group, scope: Scope): Command {
  return declared.kind === 'group' ? groupCommand(declared, scope) : leafCommand(declared, scope);
}

function groupCommand(group: Group, scope: Scope): Command {
  const command = new Command(group.name).summary(group.summary).description(`${group.summary}.`).helpCommand(false);
  prepare(command, scope.io);
  command.enablePositionalOptions();
  if (group.aliases !== undefined) command.aliases([...group.aliases]);
  for (const child of group.commands) command.addCommand(toCommander(child, scope));
  // `berth users` alone is a question for what there is.
  command.action(() => {
    const [unknown] = command.args;
    if (unknown !== undefined) {
      const nearest = nearestOf(
        unknown,
        group.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
      );
      throw usageError(`Unknown command "${group.name} ${unknown}".`, {
        next: nearest === null ? `See: berth ${group.name} --help` : `Did you mean "berth ${group.name} ${nearest}"?`,
      });
    }
    scope.io.stdout.write(command.helpInformation());
  });
  command.allowExcessArguments();
  return command;
}

function leafCommand(leaf: Leaf, { io, outcome, program }: Scope): Command {
  const command = new Command(leaf.name)
    .summary(leaf.summary)
    .description(leaf.description ?? `${leaf.summary}.`)
    .helpCommand(false);
  prepare(command, io);
  if (leaf.aliases !== undefined) command.aliases([...leaf.aliases]);
  if (leaf.passesThrough === true) command.passThroughOptions();
  if (leaf.passesEverything === true) command.allowUnknownOption();
  for (const [name, { description, arity }] of Object.entries(leaf.args)) {
    const form = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.addArgument(
      new Argument(arity === 'required' ? `<${form}>` : arity === 'optional' ? `[${form}]` : `[${form}...]`, description),
    );
  }
  for (const spec of Object.values(leaf.options)) command.addOption(toOption(spec));
  if (leaf.prints) {
    command.addOption(new Option(OUTPUT_FLAGS, 'Output format').choices(['table', 'json', 'yaml']).default('table'));
  }
  if (leaf.isLocal !== true) addAddress(command);
  command.addHelpText('after', () => `\nExamples:\n${leaf.examples.map((line) => `  ${line}`).join('\n')}`);
  command.action(async () => {
    const own = command.opts<Record<string, Given>>();
    const root = program.opts<Record<string, Given>>();
    const textOf = (name: string): string | undefined => {
      const value = own[name] ?? root[name];
      return typeof value === 'string' ? value : undefined;
    };
    const { Cli } = await import('./cli.ts');
    const format = OUTPUT_BY_NAME[textOf('output') ?? 'table'] ?? 'table';
    const cli = new Cli(io, { format, address: { url: textOf('url'), token: textOf('token') } });
    const given: GivenValues = { args: command.processedArgs, optionValue: (spec) => own[toOption(spec).attributeName()] };
    const code = await leaf.execute(cli, given).catch((error: unknown) => {
      throw inOwnTerms(error, leaf, given);
    });
    if (typeof code === 'number') outcome.code = code;
  });
  return command;
}

const OUTPUT_BY_NAME: Readonly<Record<string, OutputFormat>> = { table: 'table', json: 'json', yaml: 'yaml' };

function toOption(spec: OptionSpec<unknown>): Option {
  const option = new Option(spec.flags, spec.description);
  if (spec.isRepeatable) option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
  return option;
}

function addAddress(command: Command): void {
  command.addOption(new Option(URL_FLAGS, 'The server; else BERTH_URL, else that of the last login').helpGroup('Server:'));
  command.addOption(new Option(TOKEN_FLAGS, 'A session token; else BERTH_SESSION_TOKEN, else that of the last login').helpGroup('Server:'));
}

function prepare(command: Command, io: Io): void {
  command.exitOverride().helpOption('-h, --help', 'Show help');
  command.configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    getOutHelpWidth: () => widthOfTerminal(io.stdout) ?? 100,
    getErrHelpWidth: () => widthOfTerminal(io.stderr) ?? 100,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

/** The word of a command line that says which command it is: the first that is no option of the program, or empty. */
function meant(words: readonly string[]): string {
  const withValue = new Set([longFlag(URL_FLAGS), longFlag(TOKEN_FLAGS)]);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) return word;
    if (withValue.has(word)) index += 1;
  }
  return '';
}

function isCalled({ name, aliases = [] }: CatalogEntry, word: string): boolean {
  return name === word || aliases.includes(word);
}
