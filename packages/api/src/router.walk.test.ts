import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES } from '@berth/domain';
import { isPermission } from '@berth/rbac';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Meta } from './kernel/meta.ts';
import type { ProcedureFacts } from './procedures.ts';
import { procedureFacts } from './procedures.ts';

/** What no reviewer has to look for: every procedure of the router, present and future, is walked. */
const procedures = procedureFacts();
const operations = procedures.flatMap((facts) => {
  const { openapi, rest } = facts.meta;
  return openapi === undefined || rest === undefined ? [] : [{ ...facts, name: `${openapi.method} ${openapi.path}`, openapi, rest }];
});

const PRINCIPALS: readonly unknown[] = ['public', 'signed-in', 'agent', 'provisioner', 'scim'];

describe('every procedure', () => {
  it.each(named(procedures))('%s says who may call it', (_, { meta }) => {
    const { permission } = meta;
    expect(PRINCIPALS.includes(permission) || isPermission(permission ?? ''), `permission: ${permission}`).toBe(true);
  });

  it('would be found out', () => {
    const input = z.object({
      text: z.string(),
      list: z.array(z.string().max(1)),
      deep: z.object({ map: z.record(z.string().max(9), z.string()) }),
    });
    const found = unbounded(z.toJSONSchema(input, { io: 'input' }));
    expect(found.toSorted()).toEqual([
      'input.properties.deep.properties.map.additionalProperties: a text without a length',
      'input.properties.list: a list without a size',
      'input.properties.text: a text without a length',
    ]);
    expect(accepted(z.coerce.boolean(), ['yes', ''])).toEqual(['yes', '']);
    expect(auditProblem(undefined)).toBe('no audit fact');
  });

  it.each(named(procedures))('%s takes an object of bounded texts and lists', (_, { procedure }) => {
    for (const input of inputsOf(procedure)) expect(unbounded(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))).toEqual([]);
  });

  it.each(named(procedures.filter(({ type }) => type !== 'subscription')))('%s states its output', (_, { procedure }) => {
    expect(Reflect.get(procedure._def, 'output')).toBeInstanceOf(z.ZodType);
  });

  it.each(named(procedures.filter(({ type }) => type === 'mutation')))('%s records what it does, or says why not', (_, { meta }) => {
    expect(auditProblem(meta.audit)).toBeNull();
  });

  it.each(named(procedures.filter(({ type }) => type !== 'mutation')))('%s changes nothing and so records nothing', (_, { meta }) => {
    expect(meta.audit).toBeUndefined();
  });
});

describe('every REST operation', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))('%s has a tag, a summary and an id', (_, { openapi }) => {
    expect(openapi.tags).toHaveLength(1);
    expect(openapi.tags[0]).toMatch(/^[A-Z]\w*$/);
    expect(openapi.summary).toMatch(/^[A-Z].{3,}[^.]$/);
    expect(openapi.operationId).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('has an id of its own', () => {
    expect(duplicates(operations.map(({ openapi }) => openapi.operationId))).toEqual([]);
  });

  it('has a method and path that no other one answers, whatever its parameters are called', () => {
    expect(duplicates(operations.map(({ openapi }) => `${openapi.method} ${openapi.path.replaceAll(/\{[^}]*\}/g, '{}')}`))).toEqual([]);
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s reads with GET and changes with the others',
    (_, operation) => {
      expect(operation.openapi.method === 'GET').toBe(operation.type === 'query');
    },
  );

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s answers 204 if and only if it has nothing to say',
    (_, operation) => {
      const output: unknown = Reflect.get(operation.procedure._def, 'output');
      expect(operation.rest.status === 204).toBe(output instanceof z.ZodVoid);
    },
  );

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s takes each parameter of its path, as text',
    (_, operation) => {
      const fields = fieldsOf(operation);
      for (const [, parameter = ''] of operation.openapi.path.matchAll(/\{([^}]*)\}/g)) {
        const field = fields.get(parameter);
        expect(field, parameter).toBeDefined();
        expect(field === undefined || acceptsText(field), parameter).toBe(true);
      }
    },
  );

  const changes = operations.filter(({ openapi }) => openapi.method === 'PUT' || openapi.method === 'PATCH');
  it.each(changes.map((operation) => [operation.name, operation] as const))('%s leaves absent fields unchanged', (_, operation) => {
    for (const [name, field] of fieldsOf(operation)) {
      // Requests an action; not a field of the object.
      if (name === 'regenerate_token') continue;
      const absent = field.safeParse(undefined);
      expect(absent.success ? absent.data : undefined, `${name} has a default`).toBeUndefined();
    }
  });

  const withQuery = operations.filter(({ openapi }) => openapi.method === 'GET' || openapi.method === 'DELETE');
  it.each(withQuery.map((operation) => [operation.name, operation] as const))('%s reads its query from text, exactly', (_, operation) => {
    for (const [name, field] of fieldsOf(operation)) {
      expect(acceptsText(field), `${name} takes some text`).toBe(true);
      const types = outputTypes(field);
      // What `z.coerce` would read as true, 0 or 1000.
      if (types.includes('boolean')) expect(accepted(field, ['yes', '', 'tRuE']), name).toEqual([]);
      if (types.includes('boolean')) expect(field.safeParse('false').data, name).toBe(false);
      if (types.includes('integer')) expect(accepted(field, ['', ' 1', '1.5', '1e3', '0x1']), name).toEqual([]);
    }
  });

  const withBody = operations.filter(({ openapi }) => openapi.method !== 'GET' && openapi.method !== 'DELETE');
  it.each(withBody.map((operation) => [operation.name, operation] as const))('%s does not guess types in its body', (_, operation) => {
    const inPath = new Set([...operation.openapi.path.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter));
    for (const [name, field] of fieldsOf(operation)) {
      if (inPath.has(name)) continue;
      const types = outputTypes(field);
      if (types.includes('boolean')) expect(accepted(field, ['true', 1, 0]), name).toEqual([]);
      if (types.includes('integer') || types.includes('number')) expect(accepted(field, ['1']), name).toEqual([]);
      if (types.length === 1 && types[0] === 'string') expect(accepted(field, [1, true]), name).toEqual([]);
    }
  });
});

function named(facts: readonly ProcedureFacts[]): (readonly [string, ProcedureFacts])[] {
  return facts.map((one) => [one.path, one] as const);
}

function inputsOf(procedure: ProcedureFacts['procedure']): z.ZodType[] {
  const inputs: unknown = Reflect.get(procedure._def, 'inputs');
  return (Array.isArray(inputs) ? inputs : []).filter((input) => input instanceof z.ZodType);
}

/** The fields of the merged input, path, query and body alike. */
function fieldsOf({ procedure }: ProcedureFacts): Map<string, z.ZodType> {
  const fields = new Map<string, z.ZodType>();
  for (const input of inputsOf(procedure)) {
    if (!(input instanceof z.ZodObject)) throw new Error('the input of a REST operation must be a plain object');
    for (const [name, field] of Object.entries(input.shape)) if (field instanceof z.ZodType) fields.set(name, field);
  }
  return fields;
}

const TEXTS = ['1', 'true', 'some-text', '2026-01-02T03:04:05Z', '2026-01-02', '00000000-0000-4000-8000-000000000001'];

function acceptsText(field: z.ZodType): boolean {
  const { enum: values = [], items } = z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' });
  // A list takes one of its items as a text.
  const { enum: ofItems = [] } = typeof items === 'object' && !Array.isArray(items) ? items : {};
  return [...TEXTS, ...values.map(String), ...ofItems.map(String)].some((text) => field.safeParse(text).success);
}

function accepted(field: z.ZodType, values: readonly unknown[]): unknown[] {
  return values.filter((value) => field.safeParse(value).success);
}

function outputTypes(field: z.ZodType): string[] {
  const schema = z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' });
  const parts = [schema, ...(schema.anyOf ?? [])];
  return parts.flatMap((part) => (typeof part === 'object' && typeof part.type === 'string' && part.type !== 'null' ? [part.type] : []));
}

/** Where an input lets a caller send as much as they like: paths of texts without a length and lists without a size. */
function unbounded(schema: unknown, at = 'input'): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((part, index) => unbounded(part, `${at}[${index}]`));
  const found: string[] = [];
  const has = (key: string): boolean => Object.hasOwn(schema, key);
  const type: unknown = Reflect.get(schema, 'type');
  if (type === 'string' && !['maxLength', 'enum', 'const', 'format'].some(has)) found.push(`${at}: a text without a length`);
  if (type === 'array' && !has('maxItems') && !has('prefixItems')) found.push(`${at}: a list without a size`);
  for (const [key, part] of Object.entries(schema)) if (key !== 'default') found.push(...unbounded(part, `${at}.${key}`));
  return found;
}

function auditProblem(fact: Meta['audit']): string | null {
  if (fact === undefined) return 'no audit fact';
  if ('none' in fact) return fact.none.length > 10 ? null : 'no reason';
  if (!AUDIT_RESOURCE_TYPES.includes(fact.resource)) return `unknown resource type ${fact.resource}`;
  return AUDIT_ACTIONS.includes(fact.action) ? null : `unknown action ${fact.action}`;
}

function duplicates(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}
