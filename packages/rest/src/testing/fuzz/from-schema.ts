import fc from 'fast-check';
import { garbage, hostileText } from './garbage.ts';

/** What is read of a JSON schema. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

const INSTANTS = [
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '1969-12-31T23:59:60Z',
  '2026-01-01T00:00:00+23:59',
];

/**
 * Values that the schema takes, as hostile as it lets them be: what passes validation and is stored, compared and shown. One leaf in
 * some is of another type altogether.
 */
export function hostileValue(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: takenValue(schema, ids) }, { weight: 1, arbitrary: garbage });
}

function takenValue(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((part) => takenValue(part, ids)));
  switch (schema.type) {
    case 'string':
      return takenText(schema, ids);
    case 'integer':
      return takenNumber(schema);
    case 'number':
      return fc.oneof(takenNumber(schema), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(hostileValue(schema.items ?? {}, ids), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case 'object':
      if (schema.properties === undefined) {
        const values = typeof schema.additionalProperties === 'object' ? hostileValue(schema.additionalProperties, ids) : garbage;
        return fc.dictionary(hostileText, values, { maxKeys: 4 });
      }
      return fc.record(Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, hostileValue(part, ids)])), {
        requiredKeys: [...(schema.required ?? [])],
      });
    default:
      return garbage;
  }
}

function takenText(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.format === 'date-time') return fc.constantFrom(...INSTANTS);
  const max = schema.maxLength ?? 256;
  const text = hostileText.map((value) => value.slice(0, max));
  const id = fc.constantFrom(...ids);
  if (schema.format === 'uuid') {
    return fc.oneof(
      id,
      id.map((value) => value.toUpperCase()),
      fc.uuid(),
    );
  }
  return fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: id },
    { weight: 1, arbitrary: fc.constant('x'.repeat(Math.min(max, 2000))) },
  );
}

function takenNumber({ minimum = -1e6, maximum = 1e6 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum, maximum, 0, 1),
    fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }),
  );
}
