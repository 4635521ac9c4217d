import type { Node } from 'yaml';
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { JsonSchema } from './json-schema.ts';
import { alternativesOf, typeWords } from './json-schema.ts';

export interface Finding {
  /** Offsets into the text. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

const FINDINGS_MAX = 50;

/** What is wrong with a text by YAML's rules, or else by the schema. Rules between keys are left to the import, which knows them. */
export function checkYaml(root: JsonSchema, text: string): Finding[] {
  const document = parseDocument(text, { lineCounter: new LineCounter(), uniqueKeys: true, prettyErrors: false, merge: false });
  const { errors, contents } = document;
  if (errors.length > 0) {
    return errors.slice(0, FINDINGS_MAX).map(({ pos: [from, to], message }) => ({
      ...within(text, from, to),
      message,
      severity: 'error',
    }));
  }
  if (contents === null) {
    return [{ ...within(text, 0, 0), message: 'It must be a mapping that starts with "version: 1".', severity: 'error' }];
  }
  return check(contents, root)
    .slice(0, FINDINGS_MAX)
    .map(({ from, to, message }) => ({ ...within(text, from, to), message, severity: 'error' }));
}

/** A range that can be seen: not empty, and not over the end of a line. */
function within(text: string, from: number, to: number): { from: number; to: number } {
  const start = Math.min(from, Math.max(0, text.length - 1));
  const newline = text.indexOf('\n', start);
  const end = newline === -1 ? text.length : newline;
  return { from: Math.min(start, end), to: Math.max(Math.min(Math.max(to, start + 1), end), Math.min(start, end)) };
}

interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

function check(node: Node, schema: JsonSchema): Problem[] {
  if (isAlias(node)) return [];
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) return checkBranches(node, schema);
  if (isMap(node)) return checkMapping(node, schema);
  if (isSeq(node)) return checkList(node, schema);
  return isScalar(node) ? checkScalar(node, node.value, schema) : [];
}

function checkBranches(node: Node, schema: JsonSchema): Problem[] {
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  const fitting = isMap(node) ? alternativesOf(schema, scalarsOf(node)) : branches;
  const tried = fitting.map((branch) => check(node, branch));
  if (tried.some((problems) => problems.length === 0)) return [];
  const [first] = tried;
  // One alternative is meant: its own problems say more.
  if (first !== undefined && tried.length === 1) return first;
  const told = tellingKey(fitting);
  if (isMap(node) && told !== undefined) {
    const given = scalarsOf(node).get(told.key);
    const at = given === undefined ? node : (node.get(told.key, true) ?? node);
    return [problem(at, given === undefined ? `${told.key} is missing: ${told.values}.` : `It must be one of: ${told.values}.`)];
  }
  return [problem(node, `It must be ${typeWords(schema)}.`)];
}

/** The key by which alternatives differ. */
function tellingKey(branches: readonly JsonSchema[]): { key: string; values: string } | undefined {
  const [first] = branches;
  const key = Object.entries(first?.properties ?? {}).find(([, property]) => property.const !== undefined)?.[0];
  if (key === undefined) return undefined;
  return { key, values: branches.map((branch) => String(branch.properties?.[key]?.const)).join(', ') };
}

function scalarsOf(node: Node): Map<string, string> {
  const found = new Map<string, string>();
  if (!isMap(node)) return found;
  for (const { key, value } of node.items) {
    if (isScalar(key) && isScalar(value)) found.set(String(key.value), String(value.value));
  }
  return found;
}

function checkMapping(node: Node, schema: JsonSchema): Problem[] {
  if (!isMap(node)) return [];
  if (schema.type !== undefined && schema.type !== 'object') return [wrongType(node, schema)];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    seen.add(name);
    const property = schema.properties?.[name];
    if (property === undefined) {
      if (schema.additionalProperties === false) {
        problems.push(problem(key, `${name} is no key of this.${nearest(name, Object.keys(schema.properties ?? {}))}`));
        continue;
      }
      if (schema.propertyNames !== undefined) problems.push(...checkScalar(key, name, schema.propertyNames));
    }
    const inner = property ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    if (inner === undefined) continue;
    if (isNode(value)) problems.push(...check(value, inner));
  }
  for (const name of schema.required ?? []) {
    if (!seen.has(name)) problems.push(problem(node.items[0]?.key ?? node, `${name} is missing.`));
  }
  return problems;
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);
}

function checkList(node: Node, schema: JsonSchema): Problem[] {
  if (!isSeq(node)) return [];
  if (schema.type !== undefined && schema.type !== 'array') return [wrongType(node, schema)];
  const problems = node.items.flatMap((item) => (isNode(item) && schema.items !== undefined ? check(item, schema.items) : []));
  if (schema.minItems !== undefined && node.items.length < schema.minItems) {
    problems.push(problem(node, `It needs at least ${schema.minItems}.`));
  }
  if (schema.maxItems !== undefined && node.items.length > schema.maxItems) {
    problems.push(problem(node, `It has at most ${schema.maxItems}.`));
  }
  return problems;
}

function checkScalar(node: Node, value: unknown, schema: JsonSchema): Problem[] {
  const message = scalarProblem(value, schema);
  return message === undefined ? [] : [problem(node, message)];
}

function scalarProblem(value: unknown, schema: JsonSchema): string | undefined {
  if (schema.const !== undefined) return value === schema.const ? undefined : `It must be ${String(schema.const)}.`;
  if (schema.enum !== undefined) {
    return schema.enum.some((one) => one === value) ? undefined : `It must be one of: ${schema.enum.map(String).join(', ')}.`;
  }
  if (schema.type !== undefined && !isOfType(value, schema.type)) {
    return value === null ? `Its value is missing: ${typeWords(schema)}.` : `It must be ${typeWords(schema)}.`;
  }
  if (typeof value === 'string') return textProblem(value, schema);
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) return `It must be at least ${schema.minimum}.`;
    if (schema.maximum !== undefined && value > schema.maximum) return `It must be at most ${schema.maximum}.`;
  }
  return undefined;
}

function textProblem(value: string, { minLength, maxLength, pattern }: JsonSchema): string | undefined {
  if (minLength !== undefined && value.length < minLength) {
    return minLength === 1 ? 'It must not be empty.' : `It needs at least ${minLength} characters.`;
  }
  if (maxLength !== undefined && value.length > maxLength) return `It has at most ${maxLength} characters.`;
  return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? `It does not have the right form: ${pattern}` : undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return false;
  }
}

function wrongType(node: Node, schema: JsonSchema): Problem {
  return problem(node, `It must be ${typeWords(schema)}.`);
}

function problem(at: unknown, message: string): Problem {
  const range = isNode(at) ? at.range : undefined;
  return { from: range?.[0] ?? 0, to: range?.[1] ?? 0, message };
}

/** "Did you mean …?", for a key that is nearly one. */
function nearest(name: string, known: readonly string[]): string {
  const found = known.find((key) => key.replaceAll('_', '') === name.replaceAll(/[_-]/g, '').toLowerCase() || isNear(key, name));
  return found === undefined ? '' : ` Did you mean ${found}?`;
}

/** Whether one letter too many, too few, wrong or swapped makes one of the other. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [a, b] = [one.slice(start), other.slice(start)];
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
}
