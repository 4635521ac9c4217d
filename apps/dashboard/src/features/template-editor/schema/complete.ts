import type { JsonSchema } from './json-schema.ts';
import { alternativesOf, typeWords } from './json-schema.ts';
import { propertyOf, schemasAt } from './schema-at.ts';
import type { YamlContext } from './yaml-context.ts';
import { yamlContext } from './yaml-context.ts';

export interface Suggestion {
  readonly label: string;
  /** What is written in place of what was typed; `¦` is where the cursor goes. */
  readonly insert: string;
  readonly detail: string;
  readonly info: string;
  readonly kind: 'key' | 'value' | 'expression';
  readonly isRequired: boolean;
}

export interface Suggestions {
  /** The column from which on the text is replaced. */
  readonly from: number;
  readonly options: readonly Suggestion[];
}

/** What can stand at the cursor, by the schema and by what the text has already. Undefined where there is nothing to say. */
export function complete(root: JsonSchema, text: string, line: number, column: number): Suggestions | undefined {
  const lines = text.split('\n');
  const expression = expressionAt(lines, line, column);
  if (expression !== undefined) return expression;
  const context = yamlContext(lines, line, column);
  if (context === undefined) return undefined;
  const schemas = schemasAt(root, context.levels);
  const options = context.at === 'key' ? keys(schemas, context) : values(schemas, context);
  return options.length === 0 ? undefined : { from: context.typedFrom, options };
}

/** What the word at the cursor is, when it is a key of the format. */
export function explain(
  root: JsonSchema,
  text: string,
  line: number,
  column: number,
): { key: string; type: string; info: string } | undefined {
  const lines = text.split('\n');
  const own = lines[line] ?? '';
  const colon = own.indexOf(':', column);
  const context = yamlContext(lines, line, colon === -1 ? own.length : colon + 1);
  if (context?.key === undefined || column > context.typedFrom) return undefined;
  const { key } = context;
  const [property] = schemasAt(root, context.levels).flatMap((schema) => propertyOf(schema, key));
  return property === undefined ? undefined : { key, type: typeWords(property), info: infoOf(property) };
}

function keys(schemas: readonly JsonSchema[], { levels, indent }: YamlContext): Suggestion[] {
  const known = levels.at(-1)?.siblings ?? new Map<string, string>();
  const found = new Map<string, Suggestion>();
  for (const schema of schemas) {
    if (schema.type === 'array') return items(schema);
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (known.has(key) || found.has(key)) continue;
      const isRequired = schema.required?.includes(key) ?? false;
      found.set(key, {
        label: key,
        insert: insertOf(key, property, indent),
        detail: `${typeWords(property)}${isRequired ? ', required' : ''}`,
        info: infoOf(property),
        kind: 'key',
        isRequired,
      });
    }
  }
  return [...found.values()];
}

/** Under a key that is a list: its first dash. */
function items(schema: JsonSchema): Suggestion[] {
  const [first] = firstKeys(schema);
  return [
    {
      label: first === undefined ? '-' : `- ${first}:`,
      insert: first === undefined ? '- ¦' : `- ${first}: ¦`,
      detail: 'item of the list',
      info: schema.items?.description ?? schema.description ?? '',
      kind: 'key',
      isRequired: true,
    },
  ];
}

/** The keys that every item of a list needs, in their order. */
function firstKeys(schema: JsonSchema): string[] {
  const [item] = schema.items === undefined ? [] : alternativesOf(schema.items);
  return Object.keys(item?.properties ?? {}).filter((key) => item?.required?.includes(key) ?? false);
}

function insertOf(key: string, property: JsonSchema, indent: number): string {
  const [first] = alternativesOf(property);
  const inner = ' '.repeat(indent + 2);
  if (property.const !== undefined) return `${key}: ${String(property.const)}¦`;
  if (property.anyOf === undefined && first?.type === 'array') {
    const [name] = firstKeys(first);
    return `${key}:\n${inner}- ${name === undefined ? '' : `${name}: `}¦`;
  }
  return property.anyOf === undefined && first?.type === 'object' ? `${key}:\n${inner}¦` : `${key}: ¦`;
}

function values(schemas: readonly JsonSchema[], { key }: YamlContext): Suggestion[] {
  if (key === undefined) return [];
  const found = new Map<string, Suggestion>();
  for (const schema of schemas) {
    for (const property of propertyOf(schema, key).flatMap((one) => alternativesOf(one))) {
      for (const value of valuesOf(property)) {
        found.set(value, { label: value, insert: `${value}¦`, detail: '', info: '', kind: 'value', isRequired: false });
      }
    }
  }
  return [...found.values()];
}

function valuesOf(schema: JsonSchema): string[] {
  if (schema.const !== undefined) return [String(schema.const)];
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (schema.type === 'boolean') return ['true', 'false'];
  return typeof schema.default === 'number' || (typeof schema.default === 'string' && schema.default !== '')
    ? [String(schema.default)]
    : [];
}

function infoOf(schema: JsonSchema): string {
  const shown = typeof schema.default === 'string' || typeof schema.default === 'number' || typeof schema.default === 'boolean';
  const fallback = shown && schema.default !== '' ? `By default: ${String(schema.default)}.` : '';
  return [schema.description ?? '', fallback].filter((part) => part !== '').join(' ');
}

const EXPRESSIONS: readonly (readonly [name: string, info: string])[] = [
  ['workspace.id', 'The id of the workspace.'],
  ['workspace.name', 'The name of the workspace.'],
  ['owner.id', 'The id of the workspace’s owner.'],
  ['owner.username', 'The username of the workspace’s owner.'],
  ['owner.email', 'The e-mail address of the workspace’s owner.'],
  ['owner.name', 'The full name of the workspace’s owner.'],
  ['organization.id', 'The id of the organization.'],
  ['organization.name', 'The name of the organization.'],
  ['template.id', 'The id of the template.'],
  ['template.name', 'The name of the template.'],
  ['template.version', 'The name of the version.'],
  ['server.access_url', 'The address of the server.'],
];

/** In `${{ … }}`: what can be put in there, the file's own parameters and variables first. */
function expressionAt(lines: readonly string[], line: number, column: number): Suggestions | undefined {
  const before = (lines[line] ?? '').slice(0, column);
  const match = /\$\{\{\s*([\w.-]*)$/.exec(before);
  if (match === null) return undefined;
  const own = (['parameters', 'variables'] as const).flatMap((section) =>
    namesIn(lines, section).map((name) => [`${section}.${name}`, `Of this file’s ${section}.`] as const),
  );
  const isClosed = /^\s*\}\}/.test((lines[line] ?? '').slice(column));
  return {
    from: column - (match[1]?.length ?? 0),
    options: [...own, ...EXPRESSIONS].map(([name, info]) => ({
      label: name,
      insert: `${name}${isClosed ? '' : ' }}'}¦`,
      detail: '',
      info,
      kind: 'expression' as const,
      isRequired: false,
    })),
  };
}

/** The names in a list at the top of the file. */
function namesIn(lines: readonly string[], section: string): string[] {
  const start = lines.findIndex((line) => new RegExp(`^${section}\\s*:`).test(line));
  if (start === -1) return [];
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#-]/.test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).flatMap((line) => {
    const name = /^\s*-\s+(?:\{\s*)?name:\s*["']?([\w.-]+)/.exec(line)?.[1];
    return name === undefined ? [] : [name];
  });
}
