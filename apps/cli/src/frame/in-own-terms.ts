import type { Given, Leaf, OptionSpec } from './declare.ts';
import { longFlag } from './declare.ts';
import { asCliError, CliError, EXIT } from './errors.ts';

/** The values of a command line, as the parser has them. */
export interface GivenValues {
  readonly args: readonly Given[];
  optionValue(spec: OptionSpec<unknown>): Given;
}

/**
 * An error of the server in terms of the command line: options and arguments in place of the fields of the API, and the names that were
 * given where something does not exist. Errors of the command itself are returned as they are.
 */
export function inOwnTerms(error: unknown, leaf: Leaf, given: GivenValues): unknown {
  if (error instanceof CliError) return error;
  const known = asCliError(error);
  const names = known.exitCode === EXIT.notFound ? namesIn(leaf, given) : [];
  const problems = known.problems.map(({ field, detail }) => ({ field: inputOf(field, leaf), detail }));
  if (names.length === 0 && problems.every(({ field }, index) => field === known.problems[index]?.field)) return known;
  const { exitCode, next, cause } = known;
  return new CliError(exitCode, names.length === 0 ? known.message : missing(names), { problems, next, cause });
}

/** What of the command line gives a field of the API; the field itself when nothing does. */
function inputOf(field: string, { args, options, fields = {} }: Leaf): string {
  const [name = ''] = field.split(/[.[]/, 1);
  if (name === '') return field;
  const declared = fields[name];
  if (declared !== undefined) return declared;
  const flag = `--${name.replaceAll('_', '-')}`;
  if (Object.values(options).some((option) => longFlag(option.flags) === flag)) return flag;
  return Object.hasOwn(args, name) ? `<${name}>` : field;
}

/** The names in the command line that the server looks up. */
function namesIn({ args, options }: Leaf, given: GivenValues): readonly string[] {
  const positional = Object.values(args).flatMap((spec, index) => (spec.isName === true ? textsOf(given.args[index]) : []));
  const named = Object.values(options).flatMap((spec) =>
    spec.isName === true ? textsOf(given.optionValue(spec)).map((name) => `${longFlag(spec.flags)} ${name}`) : [],
  );
  return [...positional, ...named];
}

function textsOf(given: Given): readonly string[] {
  if (typeof given === 'string') return [given];
  return typeof given === 'object' ? given : [];
}

function missing(names: readonly string[]): string {
  const shown = names.map((name) => `"${name}"`);
  const [only] = shown;
  return shown.length === 1
    ? `${only} does not exist, or you may not see it.`
    : `One of these does not exist, or you may not see it: ${shown.join(', ')}.`;
}
