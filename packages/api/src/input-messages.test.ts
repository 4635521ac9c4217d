import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ExternalAuthSettings } from './external-auth/settings.ts';
import { procedureFacts } from './procedures.ts';
import { SignOnSettings } from './sign-on/settings.ts';

/** Words of the validator that mean nothing to people who did not write the schema. */
const RAW = /expected .* received|expected (string|number|object|array|one of)|Invalid |invalid_|Too (big|small)|Unrecognized/;

/** Values of every JSON type, each wrong for most fields in some way. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e300,
  '',
  'x y',
  'x'.repeat(100_000),
  [],
  [null],
  [{}],
  ['x', 'x'],
  Array.from({ length: 2000 }, () => 'x'),
  {},
  { x: null },
  { ['k'.repeat(5000)]: 1 },
];

/** What the schema says to each wrong value in place of all of it, and of each of its fields. */
function messagesOf(schema: z.ZodType): string[] {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const values = [...WRONG, ...fields.flatMap((field) => WRONG.map((value) => ({ [field]: value })))];
  return values.flatMap((value) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []);
}

const procedures = procedureFacts().flatMap(({ path, procedure }) => {
  const inputs: unknown = Reflect.get(procedure._def, 'inputs');
  return (Array.isArray(inputs) ? inputs : []).filter((input) => input instanceof z.ZodType).map((input) => [path, input] as const);
});

describe('what is wrong with an input', () => {
  it.each(procedures)('of %s is a rule in plain words', (_, input) => {
    const messages = new Set(messagesOf(input));
    expect([...messages].filter((message) => RAW.test(message) || message === '')).toEqual([]);
  });

  it('of the settings file is a rule in plain words', () => {
    const messages = [...messagesOf(SignOnSettings), ...messagesOf(ExternalAuthSettings)];
    expect(messages.length).toBeGreaterThan(20);
    expect(messages.filter((message) => RAW.test(message) || message === '')).toEqual([]);
  });

  it('would be found if it were the words of the validator', () => {
    expect(
      ['Invalid input: expected string, received undefined', 'Too big: expected string to have <=3 characters'].every((text) =>
        RAW.test(text),
      ),
    ).toBe(true);
  });
});
