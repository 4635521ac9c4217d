/** More values than this are no list of groups, but a mistake or an attack. */
export const CLAIM_VALUES_MAX = 1000;
const CLAIM_VALUE_LENGTH = 1024;

export type ClaimReading =
  | { readonly isFine: true; readonly isPresent: boolean; readonly values: readonly string[] }
  | { readonly isFine: false; readonly problem: string };

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value of a claim. `field` is its name, or a path into nested claims such as `realm_access.roles`; a claim whose own name is
 * `field`, dots included, wins over the path. Undefined when there is none.
 */
function findClaim(claims: JsonObject, field: string): unknown {
  if (Object.hasOwn(claims, field)) return claims[field];
  for (let dot = field.indexOf('.'); dot !== -1; dot = field.indexOf('.', dot + 1)) {
    const name = field.slice(0, dot);
    const inner = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const found = isObject(inner) ? findClaim(inner, field.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A claim as a list of distinct values: a list of texts, or one text. Absent, null and empty mean none. One text with a comma, any
 * other type, and a list that the provider only refers to are problems, since guessing could take everything away from everybody.
 */
export function readClaim(claims: JsonObject, field: string): ClaimReading {
  const value = findClaim(claims, field);
  if (value === undefined && isDistributed(claims, field)) {
    return problem('the provider sent a reference in place of the values: the user has too many of them for one token');
  }
  if (value === undefined || value === null) return { isFine: true, isPresent: false, values: [] };
  if (typeof value === 'string') {
    if (value.includes(',')) return problem('the claim is one text with a comma; it must be a list of texts');
    return checked([value]);
  }
  if (!Array.isArray(value)) return problem(`the claim must be a list of texts or one text, not ${nameOfType(value)}`);
  const items: unknown[] = value;
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length < items.length) return problem('the list of the claim contains a value that is not text');
  return checked(texts);
}

function checked(texts: readonly string[]): ClaimReading {
  const values = [...new Set(texts.filter((text) => text !== ''))];
  if (values.length > CLAIM_VALUES_MAX) return problem(`the claim has more than ${CLAIM_VALUES_MAX} values`);
  if (values.some((text) => text.length > CLAIM_VALUE_LENGTH)) {
    return problem(`a value of the claim has more than ${CLAIM_VALUE_LENGTH} characters`);
  }
  return { isFine: true, isPresent: true, values };
}

/** OpenID Connect Core 5.6.2: names of claims that are to be had elsewhere. */
function isDistributed(claims: JsonObject, field: string): boolean {
  const names = Object.hasOwn(claims, '_claim_names') ? claims['_claim_names'] : undefined;
  return isObject(names) && Object.hasOwn(names, field);
}

function nameOfType(value: unknown): string {
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function problem(text: string): ClaimReading {
  return { isFine: false, problem: text };
}

const FIELDS_MAX = 500;
const FIELD_DEPTH_MAX = 3;

/** The names by which settings can refer to the claims, nested ones as paths, in order; bounded in number and depth. */
export function claimFields(claims: JsonObject): string[] {
  const fields = new Set<string>();
  const walk = (object: JsonObject, prefix: string, depth: number): void => {
    for (const [name, value] of Object.entries(object)) {
      if (fields.size >= FIELDS_MAX) return;
      const field = `${prefix}${name}`;
      if (field.length > 256) continue;
      fields.add(field);
      if (isObject(value) && depth < FIELD_DEPTH_MAX) walk(value, `${field}.`, depth + 1);
    }
  };
  walk(claims, '', 1);
  return [...fields].toSorted();
}
