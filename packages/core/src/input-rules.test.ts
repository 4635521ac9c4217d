import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import './index.ts';

/** The rules that a value breaks, with their fields, as every transport words them. */
const rulesOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => [...path, message].join(' ')) ?? [];

const Shape = z.object({ name: z.string() });
const Kind = z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b'), size: z.int() })]);

describe('what a schema rejects', () => {
  it.each<[z.ZodType, unknown, string]>([
    [Shape, {}, 'name is required'],
    [Shape, { name: null }, 'name must be text'],
    [Shape, [], 'must be an object'],
    [z.array(z.int()), 'x', 'must be a list'],
    [z.array(z.int()), [1, 1.5], '1 must be a whole number'],
    [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
    [z.number(), '1', 'must be a number'],
    [z.number(), Number.NaN, 'must be a number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.null(), 1, 'must be null'],
    [z.never(), 1, 'must be absent'],
    [z.bigint(), 1, 'must be a whole number'],
    [z.date(), 1, 'must be a date'],
    [z.symbol(), 1, 'is of the wrong type'],
    [z.enum(['tar', 'zip']), 'rar', 'must be one of tar, zip'],
    [z.object({ format: z.enum(['tar', 'zip']) }), {}, 'format is required'],
    [z.literal(1), 2, 'must be 1'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(2), 'a', 'must have at least 2 characters'],
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.string().length(3), 'ab', 'must have exactly 3 characters'],
    [z.array(z.int()).min(1), [], 'must have at least 1 item'],
    [z.array(z.int()).max(1), [1, 2], 'must have at most 1 item'],
    [z.set(z.int()).max(0), new Set([1]), 'must have at most 0 items'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().gt(1), 1, 'must be greater than 1'],
    [z.number().lt(1), 1, 'must be less than 1'],
    [z.date().max(new Date(0)), new Date(1), 'must be at most 1970-01-01T00:00:00.000Z'],
    [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
    [z.email(), 'x', 'must be an email address'],
    [z.guid(), 'x', 'must be a UUID'],
    [z.url(), 'x', 'must be a URL'],
    [z.iso.datetime(), 'x', 'must be a time such as 2026-01-31T08:00:00Z'],
    [z.nanoid(), 'x', 'has the wrong format'],
    [z.string().startsWith('/'), 'x', 'must start with "/"'],
    [z.string().endsWith('/'), 'x', 'must end with "/"'],
    [z.string().includes('/'), 'x', 'must contain "/"'],
    [z.string().regex(/^a+$/), 'x', 'must match /^a+$/'],
    [z.strictObject({}), { a: 1 }, 'has the unknown key "a"'],
    [z.strictObject({}), { a: 1, b: 2 }, 'has the unknown keys "a", "b"'],
    [z.record(z.string().max(1), z.int()), { ab: 1 }, 'ab has an invalid key: it must have at most 1 character'],
    [z.map(z.boolean(), z.int()), new Map([[true, 'b']]), 'has an invalid item: it must be a number'],
    [z.union([z.string(), z.int()]), undefined, 'is required'],
    [z.union([z.string(), z.int()]), true, 'must be text or a number'],
    [z.union([z.string(), Shape]), {}, 'name is required'],
    [z.union([z.string().max(1), z.int()]), 'abc', 'must have at most 1 character'],
    [Kind, { type: 'c' }, 'type must be one of a, b'],
    [Kind, {}, 'type is required'],
    [Kind, 1, 'must be an object'],
    [z.string().refine(() => false), 'x', 'is invalid'],
    [z.string().refine(() => false, 'must be a word'), 'x', 'must be a word'],
  ])('%# names the rule', (schema, value, rule) => {
    expect(rulesOf(schema, value)).toEqual([rule]);
  });
});
