import type { ProcedureFacts } from '@berth/api/server';
import fc from 'fast-check';
import { z } from 'zod';
import { hostileValue } from './from-schema.ts';
import { encodeSegment, garbage, hostileSegment, hostileText } from './garbage.ts';

/** One attempt: which fields of a good input are replaced or dropped, and how the message itself is bent. */
export interface Attempt {
  /** `undefined` drops the field. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Raw segments for parameters of the path, already encoded. */
  readonly segments: Readonly<Record<string, string>>;
  /** Stands in for the whole body. */
  readonly body: string | undefined;
  /** Put behind the query as it is. */
  readonly query: string;
}

const BODIES = [
  '',
  'null',
  '[]',
  '"text"',
  '1',
  'true',
  '{',
  '{"a":',
  '['.repeat(5000),
  '\0',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '\ufeff{}',
];
const QUERIES = [
  '',
  '&',
  '&&&=&',
  '&q=%',
  '&q=%00',
  '&q=%zz',
  '&limit=1&limit=2',
  '&limit[]=1',
  '&limit[a]=1',
  '&__proto__=1',
  '&constructor=1',
  `&${'a=1&'.repeat(2000)}`,
  `&q=${'x'.repeat(8000)}`,
  '&limit=-1',
  '&limit=1e9',
  '&offset=2147483648',
  '&limit=%20',
];

/** The fields of a procedure's input, path, query and body alike, each with its JSON schema. */
function fieldsOf({ procedure }: ProcedureFacts): ReadonlyMap<string, object> {
  const inputs: unknown = Reflect.get(procedure._def, 'inputs');
  const fields = new Map<string, object>();
  for (const input of Array.isArray(inputs) ? inputs : []) {
    if (!(input instanceof z.ZodType)) continue;
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    for (const [name, field] of Object.entries(schema.properties ?? {})) if (typeof field === 'object') fields.set(name, field);
  }
  return fields;
}

export function attempts(facts: ProcedureFacts, ids: readonly string[]): fc.Arbitrary<Attempt> {
  const fields = [...fieldsOf(facts)];
  const parameters = [...(facts.meta.openapi?.path ?? '').matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const replaced = fc
    .subarray(fields, { minLength: Math.min(1, fields.length), maxLength: Math.min(3, fields.length) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          chosen.map(([name, schema]) => [
            name,
            fc.oneof(
              { weight: 6, arbitrary: hostileValue(schema, ids) },
              { weight: 4, arbitrary: garbage },
              { weight: 1, arbitrary: fc.constant(undefined) },
            ),
          ]),
        ),
      ),
    );
  const segments = fc
    .subarray(parameters, { maxLength: Math.min(1, parameters.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, hostileSegment]))));
  const unknown = fc.dictionary(
    hostileText.map((name) => name.slice(0, 100)),
    garbage,
    { maxKeys: 2 },
  );
  const rarely = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T): fc.Arbitrary<T> =>
    fc.oneof({ weight: 9, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
  return fc.record({
    fields: fc.tuple(replaced, rarely(unknown, {})).map(([known, extra]) => ({ ...extra, ...known })),
    segments: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: segments }),
    body: rarely<string | undefined>(fc.constantFrom(...BODIES), undefined),
    query: rarely(fc.constantFrom(...QUERIES), ''),
  });
}

export interface Message {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly payload: string | undefined;
}

/** The attempt as a request to `/api/v2`. */
export function restMessage(
  openapi: { method: Message['method']; path: string },
  input: Readonly<Record<string, unknown>>,
  attempt: Attempt,
): Message {
  const fields: Record<string, unknown> = { ...input, ...attempt.fields };
  const path = openapi.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = fields[name];
    delete fields[name];
    return attempt.segments[name] ?? encodeSegment(textOf(value));
  });
  const hasBody = openapi.method !== 'GET' && openapi.method !== 'DELETE';
  const pairs = hasBody ? [] : Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value));
  const query = pairs.join('&') + attempt.query;
  return {
    method: openapi.method,
    url: `/api/v2${path}${query === '' ? '' : `?${query}`}`,
    payload: hasBody ? (attempt.body ?? JSON.stringify(fields)) : undefined,
  };
}

/** The attempt as a request to `/api/rpc`. */
export function rpcMessage({ path, type }: ProcedureFacts, input: Readonly<Record<string, unknown>>, attempt: Attempt): Message {
  const payload = attempt.body ?? JSON.stringify({ ...input, ...attempt.fields });
  if (type === 'mutation') return { method: 'POST', url: `/api/rpc/${path}`, payload };
  return { method: 'GET', url: `/api/rpc/${path}?input=${encodeURIComponent(payload.toWellFormed())}${attempt.query}`, payload: undefined };
}

function pairsOf(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  const values: unknown[] = Array.isArray(value) ? value.slice(0, 20) : [value];
  return values.map((one) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(textOf(one).toWellFormed())}`);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return (JSON.stringify(value) ?? 'undefined').slice(0, 4000);
}
