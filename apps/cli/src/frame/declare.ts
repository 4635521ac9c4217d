import { validationText } from '@berth/core';
import type { Cli } from './cli.ts';
import { usageError } from './errors.ts';

/** What a shell may complete at a place. */
export type Completion = 'workspace' | 'template' | 'organization' | 'group' | 'file' | readonly string[];

/** What the parser hands over for an argument or option. */
export type Given = string | boolean | readonly string[] | undefined;

export interface ArgumentSpec<T> {
  readonly description: string;
  readonly arity: 'required' | 'optional' | 'rest';
  readonly complete: Completion | null;
  /** Whether it names something that the server looks up. */
  readonly isName?: boolean;
  read(given: Given): T;
}

export interface OptionSpec<T> {
  /** As commander writes them: `-f, --follow`, `--limit <n>`. */
  readonly flags: string;
  readonly description: string;
  readonly isRepeatable: boolean;
  readonly complete: Completion | null;
  /** Whether it names something that the server looks up. */
  readonly isName?: boolean;
  read(given: Given): T;
}

interface Hints {
  readonly complete?: Completion;
  /** For names that no shell completes; what it completes from the server is one anyway. */
  readonly isName?: boolean;
}

const LOOKED_UP: readonly unknown[] = ['workspace', 'template', 'organization', 'group'] satisfies readonly Completion[];

function hints({ complete, isName = LOOKED_UP.includes(complete) }: Hints): { complete: Completion | null; isName: boolean } {
  return { complete: complete ?? null, isName };
}

export function required(description: string, given: Hints = {}): ArgumentSpec<string> {
  return { description, arity: 'required', ...hints(given), read: (value) => textOf(value) ?? '' };
}

export function optional(description: string, given: Hints = {}): ArgumentSpec<string | undefined> {
  return { description, arity: 'optional', ...hints(given), read: textOf };
}

/** All that follows, none included. */
export function rest(description: string, { complete = null }: { complete?: Completion | null } = {}): ArgumentSpec<readonly string[]> {
  return { description, arity: 'rest', complete, read: strings };
}

/** There or not. `--no-wait` is true when it is given, too. */
export function flag(flags: string, description: string): OptionSpec<boolean> {
  const isNegated = /(^|\s)--no-/.test(flags);
  return { flags, description, isRepeatable: false, complete: null, read: (given) => given === !isNegated };
}

export function text(flags: string, description: string, given: Hints = {}): OptionSpec<string | undefined> {
  return { flags, description, isRepeatable: false, ...hints(given), read: textOf };
}

/** May be given several times. */
export function texts(flags: string, description: string, given: Hints = {}): OptionSpec<readonly string[]> {
  return { flags, description, isRepeatable: true, ...hints(given), read: strings };
}

/** One of a few words. */
export function choice<const T extends string>(flags: string, description: string, choices: readonly T[]): OptionSpec<T | undefined> {
  return {
    flags,
    description: `${description} (${choices.join(', ')})`,
    isRepeatable: false,
    complete: choices,
    read: (given) => {
      if (given === undefined) return undefined;
      const found = choices.find((one) => one === given);
      if (found === undefined) throw usageError(`${longFlag(flags)} must be one of ${choices.join(', ')}.`);
      return found;
    },
  };
}

/** Anything else: `parse` throws a sentence or answers the value. */
export function parsed<T>(flags: string, description: string, parse: (given: string) => T): OptionSpec<T | undefined> {
  return {
    flags,
    description,
    isRepeatable: false,
    complete: null,
    read: (given) => {
      if (given === undefined) return undefined;
      try {
        return parse(textOf(given) ?? '');
      } catch (error) {
        throw usageError(validationText({ field: longFlag(flags), detail: error instanceof Error ? error.message : 'is invalid.' }));
      }
    },
  };
}

/** A whole number within bounds. */
export function count(flags: string, description: string, { min, max }: { min: number; max: number }): OptionSpec<number | undefined> {
  return parsed(flags, description, (given) => {
    const number = Number(given);
    if (!/^\d+$/.test(given) || number < min || number > max) throw new Error(`must be a whole number from ${min} to ${max}.`);
    return number;
  });
}

/** `90m`, `8h`, `2d`, `1h30m`, in milliseconds. */
export function duration(flags: string, description: string): OptionSpec<number | undefined> {
  return parsed(flags, description, durationMs);
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** No setting takes more. */
const DURATION_MAX_MS = 876_600 * 3_600_000;

export function durationMs(given: string): number {
  const parts = [...given.matchAll(/(\d+)([smhdw])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== given) {
    throw new Error('must be a duration such as 30m, 8h, 7d or 1h30m.');
  }
  const ms = parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS_MS[unit ?? ''] ?? 0), 0);
  if (ms > DURATION_MAX_MS) throw new Error('must be at most 100 years.');
  return ms;
}

export function longFlag(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

function textOf(given: Given): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

function strings(given: Given): readonly string[] {
  return typeof given === 'object' ? given : [];
}

type ArgumentSpecs = Readonly<Record<string, ArgumentSpec<unknown>>>;
type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;
type Read<S extends Readonly<Record<string, { read(given: Given): unknown }>>> = { readonly [K in keyof S]: ReturnType<S[K]['read']> };

interface Declared {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line, for lists of commands; no full stop. */
  readonly summary: string;
  /** More, for the command's own help. */
  readonly description?: string;
  /** Command lines that work, each with what it does after ` # `. */
  readonly examples: readonly string[];
  /** Whether it prints data, so that `-o` chooses its form. */
  readonly prints: boolean;
  /** For commands that run another one: what follows the first argument is left alone. */
  readonly passesThrough?: boolean;
  /** Options that are not its own are left alone, too. */
  readonly passesEverything?: boolean;
  /** What of the command line gives a field of the API, where the two have different names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Works without a server, so that `--url` and `--token` would mean nothing. */
  readonly isLocal?: boolean;
}

export interface CommandSpec<A extends ArgumentSpecs, O extends OptionSpecs> extends Declared {
  readonly args: A;
  readonly options: O;
  /** Answers the exit code where it is not 0, as `berth ssh` does. */
  run(cli: Cli, given: { readonly args: Read<A>; readonly options: Read<O> }): Promise<number | void>;
}

/** A command, with its types gone: what the program, the docs and the completion see. */
export interface Leaf extends Declared {
  readonly kind: 'command';
  readonly args: ArgumentSpecs;
  readonly options: OptionSpecs;
  execute(cli: Cli, given: { readonly args: readonly Given[]; optionValue(spec: OptionSpec<unknown>): Given }): Promise<number | void>;
}

/** Commands under one word, such as `berth users list`. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly commands: readonly (Leaf | Group)[];
}

/** Declares a command; what `run` gets has the types of its declared arguments and options. */
export function defineCommand<const A extends ArgumentSpecs, const O extends OptionSpecs>(spec: CommandSpec<A, O>): Leaf {
  return {
    ...spec,
    kind: 'command',
    execute: (cli, given) => {
      const args = Object.fromEntries(Object.entries(spec.args).map(([name, one], index) => [name, one.read(given.args[index])]));
      const options = Object.fromEntries(Object.entries(spec.options).map(([name, one]) => [name, one.read(given.optionValue(one))]));
      // Each value comes from the `read` of the spec with its name, which is what `Read` says.
      return spec.run(cli, { args: args as Read<A>, options: options as Read<O> });
    },
  };
}

export function defineGroup(group: Omit<Group, 'kind'>): Group {
  return { ...group, kind: 'group' };
}
