import type { FilterTree } from './filter-syntax.ts';
import { attributeName, parseFilter } from './filter-syntax.ts';
import { OPERATIONS_MAX } from './contract.ts';
import { ScimRefusal } from './refusals.ts';

/** What a request does to one attribute. A whole resource is a list of `replace`. */
export interface AttributeChange {
  readonly op: 'add' | 'replace' | 'remove';
  /** In lower case, such as `name.givenname`; without the prefix of a core schema. */
  readonly attribute: string;
  /** Which elements of a list are meant: `emails[type eq "work"]`. */
  readonly element: FilterTree | null;
  /** The sub-attribute of those elements, in lower case: `value` of `emails[…].value`. */
  readonly sub: string;
  readonly value: unknown;
  /** Whether the path was written out, and not a key of an object. */
  readonly isNamed: boolean;
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a name in whatever case. */
export function property(object: Json, name: string): unknown {
  const key = Object.keys(object).find((known) => known.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

/** A resource, or the value of an operation without a path, as changes of its attributes; dotted keys count as paths. */
export function changesOfObject(object: Json, op: 'add' | 'replace'): AttributeChange[] {
  return Object.entries(object).flatMap(([key, value]): AttributeChange[] => {
    const target = readPath(key, false);
    if (target.attribute === 'name' && isObject(value)) {
      return Object.entries(value).map(([name, part]) => ({
        ...target,
        op: part === null ? 'remove' : op,
        attribute: `name.${name.toLowerCase()}`,
        value: part,
      }));
    }
    return [{ ...target, op: value === null ? 'remove' : op, value }];
  });
}

/** Whether a body is a patch of RFC 7644, and not a plain resource. */
export function isPatch(body: Json): boolean {
  return property(body, 'Operations') !== undefined;
}

/**
 * The changes of a patch, in its order. Takes what providers really send: operations in any case, values without a path, keys with
 * dots in them, and single values in lists.
 */
export function changesOfPatch(body: Json): AttributeChange[] {
  const operations = property(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimRefusal('invalidSyntax', 'Operations must be a list that is not empty.');
  }
  if (operations.length > OPERATIONS_MAX) {
    throw new ScimRefusal('tooMany', `One request has at most ${OPERATIONS_MAX} operations.`, 'too_large');
  }
  return operations.flatMap((operation: unknown) => {
    if (!isObject(operation)) throw new ScimRefusal('invalidSyntax', 'Each operation must be an object.');
    return changesOfOperation(operation);
  });
}

function changesOfOperation(operation: Json): AttributeChange[] {
  const [op, path, value] = ['op', 'path', 'value'].map((name) => property(operation, name));
  const kind = typeof op === 'string' ? op.toLowerCase() : '';
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove') {
    throw new ScimRefusal('invalidSyntax', 'The op of an operation must be add, replace or remove.');
  }
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw new ScimRefusal('invalidPath', 'The path of an operation must be a text.');
  }
  if (path === undefined || path === null || path === '') {
    if (kind === 'remove') throw new ScimRefusal('noTarget', 'An operation that removes needs a path.');
    if (!isObject(value)) throw new ScimRefusal('invalidValue', 'An operation without a path needs an object as its value.');
    return changesOfObject(value, kind);
  }
  if (kind !== 'remove' && value === undefined) {
    throw new ScimRefusal('invalidValue', `The operation on ${path.slice(0, 100)} has no value.`);
  }
  const target = readPath(path, true);
  if (kind !== 'remove' && target.element === null && target.attribute === 'name' && isObject(value)) {
    return changesOfObject({ name: value }, kind);
  }
  return [{ ...target, op: value === null ? 'remove' : kind, value }];
}

const PATH = /^([^[\]]+)(?:\[(.+)\](?:\.([\w$-]+))?)?$/;
const PATH_LENGTH_MAX = 1000;

function readPath(path: string, isNamed: boolean): Omit<AttributeChange, 'op' | 'value'> {
  const match = path.length > PATH_LENGTH_MAX ? null : PATH.exec(path);
  if (match?.[1] === undefined) throw new ScimRefusal('invalidPath', `The path cannot be read: ${path.slice(0, 100)}`);
  const [, attribute, filter, sub = ''] = match;
  return {
    attribute: attributeName(attribute),
    element: filter === undefined ? null : parseFilter(filter, 'invalidPath'),
    sub: sub.toLowerCase(),
    isNamed,
  };
}

/** The one value that is meant: some providers send single values as a list, or as an object with `value`. */
function single(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1) return single(value[0]);
  if (isObject(value) && property(value, 'value') !== undefined) return property(value, 'value');
  return value;
}

/** A text of at most `max` characters. */
export function textOf(value: unknown, name: string, max: number): string {
  const one = single(value);
  if (typeof one !== 'string') throw new ScimRefusal('invalidValue', `${name} must be a text.`);
  if (one.length > max) throw new ScimRefusal('invalidValue', `${name} has at most ${max} characters.`);
  return one;
}

/** `true` or `false`, also as the texts that some providers send. */
export function booleanOf(value: unknown, name: string): boolean {
  const one = single(value);
  const text = typeof one === 'string' ? one.toLowerCase() : one;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw new ScimRefusal('invalidValue', `${name} must be true or false.`);
}
