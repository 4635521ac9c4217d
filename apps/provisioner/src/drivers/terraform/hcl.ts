import { parse } from '@cdktn/hcl2json';
import { PROVISIONER_LIMITS } from '@berth/protocol';
import type { TemplateVariable } from '@berth/protocol';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DriverError } from '../../driver.ts';
import type { NamedValue } from '../../driver.ts';

const FILE_BYTES = 1024 * 1024;

/** A block without labels, with or without a list around it; the parser makes a list of it, JSON may leave it out. */
const oneOrMore = <T extends z.ZodType>(block: T) => z.union([z.array(block), block.transform((only) => [only])]);
const byLabel = <T extends z.ZodType>(block: T) => z.record(z.string(), oneOrMore(block)).default({});

const Variable = z.looseObject({
  description: z.unknown().optional(),
  type: z.unknown().optional(),
  default: z.unknown().optional(),
  sensitive: z.unknown().optional(),
});
const Parameter = z.looseObject({
  name: z.unknown().optional(),
  type: z.unknown().optional(),
  default: z.unknown().optional(),
  option: oneOrMore(z.looseObject({ value: z.unknown().optional() })).optional(),
  validation: oneOrMore(z.looseObject({})).optional(),
});

/** What is read of a file of the root module; everything else is Terraform's to judge. */
const ModuleFile = z.object({
  variable: byLabel(Variable),
  data: z.object({ coder_parameter: byLabel(Parameter) }).default({ coder_parameter: {} }),
  terraform: oneOrMore(z.looseObject({ backend: z.unknown().optional(), cloud: z.unknown().optional() })).default([]),
});
type ModuleFile = z.output<typeof ModuleFile>;

export interface ModuleVariable {
  readonly name: string;
  readonly description: string;
  /** As it is written: `string`, `list(string)`; empty when it is not said. */
  readonly type: string;
  /** Undefined for a variable that must be given; `null` counts as a value. */
  readonly fallback: unknown;
  readonly isSensitive: boolean;
}

/** A parameter without a default, as far as its file says what it is. */
export interface RequiredParameter {
  /** Of the block: `data.coder_parameter.<label>`. */
  readonly label: string;
  /** Undefined when it is computed. */
  readonly name: string | undefined;
  readonly type: string;
  readonly firstOption: string | undefined;
  readonly validation: Readonly<Record<string, unknown>> | undefined;
}

export interface RootModule {
  readonly variables: readonly ModuleVariable[];
  /** The labels of all parameters, in the order of the files. */
  readonly parameterLabels: readonly string[];
  readonly requiredParameters: readonly RequiredParameter[];
  /** Whether the template says that its state belongs elsewhere. */
  readonly hasBackend: boolean;
}

/**
 * Reads the root module in `directory`, in the order of its files and lines. Rejects with a `DriverError` that names file, line and
 * column of what is no HCL.
 */
export async function readModule(directory: string): Promise<RootModule> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.tf') || name.endsWith('.tf.json')).toSorted();
  if (names.length === 0) throw new DriverError('The archive has no *.tf file at its top. That is where a Terraform template starts.');
  const [variables, labels, required]: [ModuleVariable[], string[], RequiredParameter[]] = [[], [], []];
  let hasBackend = false;
  for (const name of names) {
    const { file, text } = await readModuleFile(directory, name);
    const place = (kind: string) => (label: string) => positionOf(text, kind, label);
    for (const [label, block] of blocks(file.variable, place('variable'))) variables.push(toVariable(label, block));
    for (const [label, block] of blocks(file.data.coder_parameter, place('data\\s+"?coder_parameter"?'))) {
      labels.push(label);
      if (block.default === undefined || block.default === null) required.push(toRequired(label, block));
    }
    hasBackend ||= file.terraform.some((block) => block.backend !== undefined || block.cloud !== undefined);
  }
  return { variables, parameterLabels: labels, requiredParameters: required, hasBackend };
}

async function readModuleFile(directory: string, name: string): Promise<{ file: ModuleFile; text: string }> {
  const path = join(directory, name);
  if ((await stat(path)).size > FILE_BYTES) throw new DriverError(`${name}: may have ${FILE_BYTES / 1024} KiB at most.`);
  const text = await readFile(path, 'utf8');
  const content: unknown = name.endsWith('.json') ? parseJson(name, text) : await parseHcl(name, text);
  const parsed = ModuleFile.safeParse(content ?? {});
  // A form that only Terraform knows: it says better than we could what is wrong with it.
  return { file: parsed.success ? parsed.data : ModuleFile.parse({}), text };
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DriverError(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function parseHcl(name: string, text: string): Promise<unknown> {
  if (text.trim() === '') return {};
  try {
    return await parse(name, text);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    // parse config: [main.tf:2,9-3,1: Invalid expression; Expected the start of an expression, ...]
    const problems = said.replace(/^parse config: \[/, '').replace(/\]$/, '');
    const placed = problems.replaceAll(/:(\d+),(\d+)-\d+(?:,\d+)?:/g, ':$1:$2:');
    throw new DriverError(placed.trim(), { cause: error });
  }
}

/** Every block with its label, by where it stands. The parser knows what is there, but not in which order. */
function blocks<T>(all: Readonly<Record<string, readonly T[]>>, position: (label: string) => number): [string, T][] {
  return Object.entries(all)
    .flatMap(([label, [block]]) => (block === undefined ? [] : [{ label, block, at: position(label) }]))
    .toSorted((one, other) => one.at - other.at)
    .map(({ label, block }) => [label, block]);
}

function positionOf(text: string, kind: string, label: string): number {
  // A label of a variable or a data source is a word, so nothing in it means anything to an expression.
  const at = new RegExp(`(?:^|\\n)[^\\S\\n]*${kind}\\s+"?${label}"?\\s*\\{`).exec(text)?.index ?? text.indexOf(`"${label}"`);
  return at === -1 ? text.length : at;
}

function toVariable(name: string, block: z.output<typeof Variable>): ModuleVariable {
  return {
    name,
    description: typeof block.description === 'string' ? block.description.trim() : '',
    type: unwrap(block.type) ?? '',
    fallback: unescaped(block.default),
    isSensitive: block.sensitive === true || block.sensitive === 'true',
  };
}

function toRequired(label: string, block: z.output<typeof Parameter>): RequiredParameter {
  return {
    label,
    name: literal(block.name),
    type: literal(block.type) ?? 'string',
    firstOption: literal(block.option?.[0]?.value),
    validation: block.validation?.[0],
  };
}

/** A default is a constant, so what looks like an expression in it was escaped; the parser leaves it so. */
function unescaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/([$%])\1\{/g, '$1{');
  if (Array.isArray(value)) return value.map(unescaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unescaped(item)]));
}

/** `${list(string)}` is how the parser writes an expression. */
function unwrap(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return /^\$\{([\s\S]*)\}$/.exec(value)?.[1]?.trim() ?? value;
}

/** A text that has nothing in it that only Terraform could compute. */
function literal(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && !value.includes('${') ? value : undefined;
}

/** How a default is shown, and given back. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In the wire's words, with the value that holds: the given one, else the default. Lists and objects are texts of JSON. */
export function toTemplateVariables(module: RootModule, given: readonly NamedValue[]): TemplateVariable[] {
  return module.variables.map((variable) => {
    const fallback = valueText(variable.fallback);
    if (fallback.length > PROVISIONER_LIMITS.value) {
      throw new DriverError(`The default of the variable ${variable.name} may have ${PROVISIONER_LIMITS.value} characters at most.`);
    }
    return {
      name: variable.name,
      description: variable.description,
      type: variable.type === 'number' || variable.type === 'bool' ? variable.type : 'string',
      value: given.find(({ name }) => name === variable.name)?.value ?? fallback,
      default_value: fallback,
      required: variable.fallback === undefined,
      sensitive: variable.isSensitive,
    };
  });
}

/**
 * The content of a file of variables for Terraform: what was given and is not the default. Values of lists and objects are JSON; rejects
 * with a `DriverError` that names the variable when one is not.
 */
export function variableFile(module: RootModule, given: readonly NamedValue[]): string {
  const values: Record<string, unknown> = {};
  for (const variable of module.variables) {
    const value = given.find(({ name }) => name === variable.name)?.value;
    if (value === undefined || (variable.fallback !== undefined && value === valueText(variable.fallback))) continue;
    values[variable.name] = ['', 'string', 'number', 'bool'].includes(variable.type) ? value : parseValue(variable, value);
  }
  return JSON.stringify(values);
}

function parseValue(variable: ModuleVariable, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    // `any` takes a bare text as it is, as the command line of Terraform does.
    if (variable.type === 'any') return value;
    throw new DriverError(
      `The variable ${variable.name} is a ${variable.type}: its value must be JSON, such as ["one", "two"] or {"name": "value"}.`,
    );
  }
}

/** The values of sensitive variables, given or not. */
export function sensitiveValues(module: RootModule, given: readonly NamedValue[]): string[] {
  return toTemplateVariables(module, given)
    .filter(({ sensitive }) => sensitive)
    .map(({ value }) => value);
}
