import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROVISIONER_LIMITS } from '@berth/protocol';
import { isMap, LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import type { z } from 'zod';
import { DriverError } from '../../driver.ts';
import { isCode } from '../../error-code.ts';
import { findBrokenRules } from './checks.ts';
import { BerthYaml } from './format.ts';

const TEMPLATE_FILE = 'berth.yaml';
const FILE_BYTES = 256 * 1024;
const README_BYTES = PROVISIONER_LIMITS.readme;
const REPORTED = 20;

export type Path = readonly PropertyKey[];

/** A rule that the file breaks, and where. */
export interface BrokenRule {
  readonly path: Path;
  readonly rule: string;
}

export interface Template {
  readonly yaml: BerthYaml;
  readonly readme: string;
  /** The error to throw for what is found out later than by reading: it names the line as well. */
  refuse(broken: readonly BrokenRule[]): DriverError;
}

/**
 * Reads `berth.yaml` and `README.md` of an unpacked template. Rejects with a `DriverError` with one line for each broken rule:
 * `berth.yaml:LINE: field: rule`, the first 20.
 */
export async function readTemplate(directory: string): Promise<Template> {
  const text = await readBounded(join(directory, TEMPLATE_FILE), FILE_BYTES);
  if (text === undefined) {
    throw new DriverError(`${TEMPLATE_FILE}: the archive has no such file at its top. It describes what a workspace consists of.`);
  }
  const template = parseTemplate(text);
  const readme = (await readBounded(join(directory, 'README.md'), README_BYTES)) ?? '';
  // The facts between two lines of --- are for lists of templates, not for readers.
  return { ...template, readme: readme.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n+/, '') };
}

/** The same for the text of the file alone. */
export function parseTemplate(text: string): Template {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false, merge: false });
  const syntax = document.errors.map((error) => `${TEMPLATE_FILE}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  if (syntax.length > 0) throw new DriverError(syntax.slice(0, REPORTED).join('\n'));
  const refuse = (broken: readonly BrokenRule[]) => {
    const sentences = broken
      .map(({ path, rule }) => ({ line: lineOf({ document, lines, path }), text: `${showPath(path)}: ${rule}` }))
      .sort((one, other) => one.line - other.line)
      .map((at) => `${TEMPLATE_FILE}:${at.line}: ${at.text}`);
    const more = sentences.length > REPORTED ? [`and ${sentences.length - REPORTED} more`] : [];
    return new DriverError([...sentences.slice(0, REPORTED), ...more].join('\n'));
  };
  if (!isMap(document.contents)) throw refuse([{ path: [], rule: 'must be a mapping that starts with "version: 1"' }]);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw refuse([{ path: [], rule: error instanceof Error ? error.message : String(error) }]);
  }
  const parsed = BerthYaml.safeParse(value, { reportInput: true });
  if (!parsed.success) throw refuse(parsed.error.issues.flatMap(explain));
  const broken = findBrokenRules(parsed.data);
  if (broken.length > 0) throw refuse(broken);
  return { yaml: parsed.data, readme: '', refuse };
}

async function readBounded(file: string, bytes: number): Promise<string | undefined> {
  try {
    if ((await stat(file)).size > bytes) {
      throw new DriverError(`${file.slice(file.lastIndexOf('/') + 1)}: may have ${bytes / 1024} KiB at most.`);
    }
    return (await readFile(file, 'utf8')).replaceAll('\0', '');
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'EISDIR')) return undefined;
    throw error;
  }
}

/** One line for each reason: a record's bad key and a union's branches are told apart. */
function explain(issue: z.core.$ZodIssue): BrokenRule[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...issue.path, key], rule: 'is not a known key here' }));
    case 'invalid_key':
      return issue.issues.map((inner) => ({ path: issue.path, rule: inner.message }));
    case 'invalid_union': {
      if (issue.discriminator !== undefined) {
        const isMissing = typeof issue.input !== 'object' || issue.input === null || !(issue.discriminator in issue.input);
        return [
          { path: issue.path, rule: isMissing ? 'is missing' : `must be one of ${list('options' in issue ? (issue.options ?? []) : [])}` },
        ];
      }
      const deeper = issue.errors.flat().find((inner) => inner.code === 'custom' || inner.path.length > 0);
      return [{ path: [...issue.path, ...(deeper?.path ?? [])], rule: deeper?.message ?? 'is of the wrong type' }];
    }
    case 'invalid_type':
      return [{ path: issue.path, rule: issue.input === undefined ? 'is missing' : `must be ${article(issue.expected)}` }];
    case 'invalid_value':
      return [{ path: issue.path, rule: issue.input === undefined ? 'is missing' : `must be one of ${list(issue.values)}` }];
    default:
      return [{ path: issue.path, rule: issue.message }];
  }
}

const list = (values: readonly unknown[]) => values.map(String).join(', ');
const article = (type: string) =>
  type === 'array' ? 'a list' : type === 'object' || type === 'record' ? 'a mapping' : type === 'int' ? 'a whole number' : `a ${type}`;

function showPath(path: Path): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

/** The line of the deepest node that exists on the way to `path`; of the key where there is one. */
function lineOf({ document, lines, path }: { document: Document; lines: LineCounter; path: Path }): number {
  let line = 1;
  let node: unknown = document.contents;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === String(part));
      const offset = rangeStart(pair?.key);
      if (pair === undefined) break;
      if (offset !== undefined) line = lines.linePos(offset).line;
      node = pair.value;
    } else {
      node = itemOf(node, part);
      const offset = rangeStart(node);
      if (offset === undefined) break;
      line = lines.linePos(offset).line;
    }
  }
  return line;
}

function itemOf(node: unknown, part: PropertyKey): unknown {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items) ? node.items[Number(part)] : undefined;
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : undefined;
}
