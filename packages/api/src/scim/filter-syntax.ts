import type { Filter } from 'scim2-parse-filter';
import { parse } from 'scim2-parse-filter';
import type { ScimType } from './refusals.ts';
import { ScimRefusal } from './refusals.ts';

const LENGTH_MAX = 1000;
const DEPTH_MAX = 20;
const TERMS_MAX = 50;
// oxlint-disable-next-line no-control-regex -- finding them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;

export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
const COMPARISONS: readonly string[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] satisfies Comparison[];

function isComparison(op: string): op is Comparison {
  return COMPARISONS.includes(op);
}

/** A filter with the names of its attributes in lower case, without the prefix of a core schema. */
export type FilterTree =
  | { readonly op: 'and' | 'or'; readonly parts: readonly FilterTree[] }
  | { readonly op: 'not'; readonly part: FilterTree }
  | { readonly op: 'present'; readonly attribute: string }
  | {
      readonly op: 'compare';
      readonly attribute: string;
      readonly comparison: Comparison;
      readonly value: string | number | boolean | null;
    }
  /** `attribute[part]`: the names inside are those of its sub-attributes. */
  | { readonly op: 'element'; readonly attribute: string; readonly part: FilterTree };

/**
 * Reads a filter of RFC 7644, section 3.4.2.2. What cannot be read, or is longer or deeper than anybody needs, is refused with
 * `scimType`. Control characters are refused before the parser sees them: many line breaks would keep it busy for ever.
 */
export function parseFilter(text: string, scimType: ScimType = 'invalidFilter'): FilterTree {
  if (text.length > LENGTH_MAX) throw new ScimRefusal(scimType, `A filter has at most ${LENGTH_MAX} characters.`);
  if (CONTROL.test(text)) throw new ScimRefusal(scimType, 'A filter has no line breaks or other control characters.');
  if ((text.match(/[([]|\bnot\b/gi) ?? []).length > DEPTH_MAX) throw new ScimRefusal(scimType, 'The filter is nested too deeply.');
  let tree: Filter;
  try {
    tree = parse(text);
  } catch (error) {
    throw new ScimRefusal(scimType, `The filter cannot be read: ${error instanceof Error ? error.message : 'syntax error'}`);
  }
  const count = { left: TERMS_MAX };
  return convert(tree, { scimType, count });
}

function convert(tree: Filter, context: { readonly scimType: ScimType; readonly count: { left: number } }): FilterTree {
  context.count.left -= 1;
  if (context.count.left < 0) throw new ScimRefusal(context.scimType, `A filter has at most ${TERMS_MAX} conditions.`);
  const { op } = tree;
  if ((op === 'and' || op === 'or') && 'filters' in tree) return { op, parts: tree.filters.map((part) => convert(part, context)) };
  if (op === 'not' && 'filter' in tree) return { op, part: convert(tree.filter, context) };
  if (op === 'pr' && 'attrPath' in tree) return { op: 'present', attribute: attributeName(tree.attrPath) };
  if (op === '[]' && 'valFilter' in tree) {
    return { op: 'element', attribute: attributeName(tree.attrPath), part: convert(tree.valFilter, context) };
  }
  if (isComparison(op) && 'compValue' in tree) {
    return { op: 'compare', attribute: attributeName(tree.attrPath), comparison: op, value: tree.compValue };
  }
  throw new ScimRefusal(context.scimType, `The filter has an unknown operator: ${op}`);
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** The name of an attribute, in any case and with or without its core schema, as this code writes it. */
export function attributeName(name: string): string {
  return name.toLowerCase().replace(CORE, '');
}

/** Whether one element of a list, its sub-attributes in lower case, passes a filter inside brackets. */
export function elementPasses(tree: FilterTree, element: Readonly<Record<string, string | boolean | undefined>>): boolean {
  switch (tree.op) {
    case 'and':
      return tree.parts.every((part) => elementPasses(part, element));
    case 'or':
      return tree.parts.some((part) => elementPasses(part, element));
    case 'not':
      return !elementPasses(tree.part, element);
    case 'present':
      return Object.hasOwn(element, tree.attribute) && element[tree.attribute] !== undefined;
    case 'element':
      return false;
    case 'compare':
      return compares(Object.hasOwn(element, tree.attribute) ? element[tree.attribute] : undefined, tree.comparison, tree.value);
  }
}

function compares(actual: string | boolean | undefined, comparison: Comparison, wanted: string | number | boolean | null): boolean {
  const [left, right] = [actual, wanted].map((value) => String(value ?? '').toLowerCase()) as [string, string];
  switch (comparison) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
  }
}
