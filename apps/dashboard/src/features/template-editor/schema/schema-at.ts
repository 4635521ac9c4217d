import type { JsonSchema } from './json-schema.ts';
import { alternativesOf } from './json-schema.ts';
import type { Level } from './yaml-context.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** What may stand at the last of `levels`: the schemas that what is written so far leaves open. */
export function schemasAt(root: JsonSchema, levels: readonly Level[]): JsonSchema[] {
  let schemas: JsonSchema[] = [root];
  for (const [index, level] of levels.entries()) {
    const above = levels[index - 1];
    const next = above === undefined ? schemas : schemas.flatMap((schema) => inner(schema, above, level));
    schemas = next.flatMap((schema) => alternativesOf(schema, level.kind === 'mapping' ? level.siblings : NONE));
  }
  return schemas;
}

function inner(schema: JsonSchema, above: Level, { step }: Level): JsonSchema[] {
  if (above.kind === 'list') return schema.items === undefined ? [] : [schema.items];
  return step === undefined ? [] : propertyOf(schema, step);
}

/** The schema of the value of a key. */
export function propertyOf(schema: JsonSchema, key: string): JsonSchema[] {
  const own = schema.properties?.[key];
  if (own !== undefined) return [own];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}
