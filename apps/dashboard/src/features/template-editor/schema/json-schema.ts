/** The part of JSON Schema that the schema of `berth.yaml` uses. A test fails when it uses more. */
export interface JsonSchema {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Without alternatives: those of `schema` that `siblings`, what is known of the mapping so far, do not rule out. */
export function alternativesOf(schema: JsonSchema, siblings: ReadonlyMap<string, string> = new Map()): JsonSchema[] {
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches === undefined) return [schema];
  const flat = branches.flatMap((branch) => alternativesOf(branch, siblings));
  const fitting = flat.filter((branch) =>
    Object.entries(branch.properties ?? {}).every(([key, property]) => {
      const given = siblings.get(key);
      return property.const === undefined || given === undefined || given === '' || given === String(property.const);
    }),
  );
  return fitting.length === 0 ? flat : fitting;
}

/** What the values of a schema are, in a word or two. */
export function typeWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ');
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) return [...new Set(branches.map(typeWords))].join(' or ');
  switch (schema.type) {
    case 'array':
      return 'list';
    case 'object':
      return 'mapping';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'whole number';
    case 'string':
      return 'text';
    default:
      return schema.type ?? 'anything';
  }
}
