import { resolve } from 'node:path';
import type { ParameterValue, RichParameter } from '@berth/domain';
import { askedParameters, resolveRichParameters, richParameterFromWire, valueProblem } from '@berth/domain';
import type { Cli } from '../frame/cli.ts';
import { flag, text, texts } from '../frame/declare.ts';
import { usageError } from '../frame/errors.ts';
import { readNamedFile } from '../frame/file-problems.ts';

/** The options of every command that builds with parameters. */
export const PARAMETER_OPTIONS = {
  parameter: texts('-p, --parameter <name=value>', 'A parameter of the template; may be given several times'),
  parameterFile: text('--parameter-file <file>', 'Parameters in a YAML or JSON file, each `name: value`', { complete: 'file' }),
  yes: flag('-y, --yes', 'Use the default values instead of asking'),
};

export interface GivenParameters {
  readonly parameter: readonly string[];
  readonly parameterFile: string | undefined;
  readonly yes: boolean;
}

export interface ParameterNeeds {
  readonly versionId: string;
  /** The values of the last build; empty for the first. */
  readonly previous: readonly ParameterValue[];
  /** Ask only for what has no value yet, as a new version may bring. */
  readonly onlyNew?: boolean;
}

/**
 * The values to build with: those given, then those that the person answers, held to the template's rules before anything is sent. Without
 * a person, standard values stand in where there are any.
 */
export async function gatherParameters(cli: Cli, given: GivenParameters, needs: ParameterNeeds): Promise<readonly ParameterValue[]> {
  const wire = await cli.session().client.templateVersions.richParameters.query({ templateversion: needs.versionId });
  // They come in the order in which the template asks for them.
  const definitions = wire.map((parameter, index) => richParameterFromWire({ ...parameter, display_order: index }));
  const requested = await readGiven(cli, given);
  requireKnown(definitions, requested);
  const { previous } = needs;
  if (cli.ask.isPossible && !given.yes) await askForRest(cli, requested, { definitions, previous, onlyNew: needs.onlyNew ?? false });
  const values = [...requested].map(([name, value]) => ({ name, value }));
  const resolution = resolveRichParameters({ definitions, requested: values, previous });
  if (!resolution.ok) {
    throw usageError('Invalid parameters.', {
      problems: resolution.problems.map(({ parameter, detail }) => ({ field: parameter, detail })),
      next: `Give them with --parameter ${resolution.problems[0]?.parameter ?? 'name'}=<value>`,
    });
  }
  return values;
}

/** The values of a file, and those of `name=value` pairs, which win. @throws CliError for what is neither. */
export async function readGiven(
  cli: Cli,
  { parameter, parameterFile }: Pick<GivenParameters, 'parameter' | 'parameterFile'>,
): Promise<Map<string, string>> {
  const values = parameterFile === undefined ? new Map<string, string>() : await readParameterFile(resolve(cli.io.cwd, parameterFile));
  for (const pair of parameter) {
    const cut = pair.indexOf('=');
    if (cut < 1) throw usageError(`"${pair}" must be name=value.`);
    values.set(pair.slice(0, cut), pair.slice(cut + 1));
  }
  return values;
}

async function readParameterFile(path: string): Promise<Map<string, string>> {
  const { parseYaml } = await import('../frame/yaml.ts');
  const file = await readNamedFile(path, 'utf8');
  let content: unknown;
  try {
    content = parseYaml(file);
  } catch (cause) {
    throw usageError(`${path} is not valid YAML or JSON: ${cause instanceof Error ? cause.message : 'no reason given'}`, { cause });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw usageError(`${path} must contain lines of the form name: value.`);
  }
  return new Map(Object.entries(content).map(([name, value]) => [name, asText(value)]));
}

/** Values travel as text: lists as JSON, all others as they are written. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

function requireKnown(definitions: readonly RichParameter[], requested: ReadonlyMap<string, string>): void {
  const unknown = [...requested.keys()].filter((name) => !definitions.some((parameter) => parameter.name === name));
  if (unknown.length === 0) return;
  throw usageError('Unknown parameters.', {
    problems: unknown.map((field) => ({ field, detail: 'is not a parameter of the template' })),
    next: definitions.length === 0 ? 'The template has no parameters.' : `Parameters: ${definitions.map(({ name }) => name).join(', ')}`,
  });
}

interface Asking {
  readonly definitions: readonly RichParameter[];
  readonly previous: readonly ParameterValue[];
  readonly onlyNew: boolean;
}

/** One after the other, since an answer may bring up or settle other questions. */
async function askForRest(cli: Cli, requested: Map<string, string>, { definitions, previous, onlyNew }: Asking): Promise<void> {
  const stored = new Map(previous.map(({ name, value }) => [name, value]));
  for (;;) {
    const values = [...requested].map(([name, value]) => ({ name, value }));
    const next = askedParameters({ definitions, requested: values, previous }).find(
      ({ name }) => !requested.has(name) && !(onlyNew && stored.has(name)),
    );
    if (next === undefined) return;
    requested.set(next.name, await askForOne(cli, next, stored.get(next.name) ?? null));
  }
}

async function askForOne(cli: Cli, parameter: RichParameter, previous: string | null): Promise<string> {
  const standard = previous ?? parameter.defaultValue;
  const label = parameter.displayName === '' ? parameter.name : parameter.displayName;
  const about = parameter.descriptionPlaintext;
  const question = { message: about === '' ? label : `${label} (${about})`, flag: `--parameter ${parameter.name}=<value>` };
  if (parameter.type === 'list(string)') {
    if (parameter.options.length > 0) {
      const chosen = await cli.ask.chooseSeveral({ ...question, choices: parameter.options, standard: listOf(standard) });
      return JSON.stringify(chosen);
    }
    const words = await cli.ask.text({
      ...question,
      message: `${question.message}, separated by commas`,
      standard: listOf(standard).join(','),
    });
    return JSON.stringify(
      words
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    );
  }
  const options = parameter.type === 'bool' ? BOOLEANS : parameter.options;
  if (options.length > 0) return cli.ask.choose({ ...question, choices: options, ...(standard === '' ? {} : { standard }) });
  return cli.ask.text({
    ...question,
    ...(standard === '' && parameter.required ? {} : { standard }),
    validate: (answer) => {
      if (answer === '') return parameter.required ? 'A value is required.' : null;
      return valueProblem(parameter, answer, previous)?.detail ?? null;
    },
  });
}

const BOOLEANS = [
  { name: 'Yes', value: 'true' },
  { name: 'No', value: 'false' },
];

function listOf(value: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value === '' ? '[]' : value);
    return Array.isArray(parsed) ? parsed.map(String) : [];
  } catch {
    return [];
  }
}
