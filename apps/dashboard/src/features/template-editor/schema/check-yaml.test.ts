import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkYaml } from './check-yaml.ts';
import type { JsonSchema } from './json-schema.ts';

const root = new URL('../../../../../../', import.meta.url);
const source: unknown = JSON.parse(readFileSync(new URL('docs/berth.schema.json', root), 'utf8'));
const schema = source as JsonSchema;

/** Each finding as the text that it is at and what it says. */
function found(text: string): string[] {
  return checkYaml(schema, text).map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`);
}

const RESOURCES = 'resources:\n  - name: a\n    type: process\n    agent: {}\n';

describe('the starter templates', () => {
  const files = readdirSync(new URL('templates/', root), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('berth.yaml'),
  );
  test.each(files)('%s has nothing wrong', (path) => {
    expect(found(readFileSync(new URL(`templates/${path}`, root), 'utf8'))).toEqual([]);
  });
});

test.each([
  [
    'a key that there is not, with the one that is meant',
    `version: 1\nparamters: []\n${RESOURCES}`,
    'paramters: paramters is no key of this. Did you mean parameters?',
  ],
  ['a required key that is missing', 'version: 1\n', 'version: resources is missing.'],
  ['a value of another type', `version: one\n${RESOURCES}`, 'one: It must be 1.'],
  [
    'a value that is none of those',
    `version: 1\nparameters:\n  - { name: a, type: text }\n${RESOURCES}`,
    'text: It must be one of: string, number, bool, list(string).',
  ],
  ['a list that is a text', `version: 1\nparameters: no\n${RESOURCES}`, 'no: It must be list.'],
  ['a value that is missing', `version: 1\nname:\n${RESOURCES}`, ': Its value is missing: text.'],
  ['an unknown kind of resource', 'version: 1\nresources:\n  - name: a\n    type: vm\n', 'vm: It must be one of: process, container.'],
  ['a resource without a kind', 'version: 1\nresources:\n  - name: a\n', 'name: a: type is missing: process, container.'],
  ['a number out of its bounds', `version: 1\n${RESOURCES}    daily_cost: -1\n`, '-1: It must be at least 0.'],
  ['a name of the wrong form', `version: 1\nparameters: [{ name: "a b" }]\n${RESOURCES}`, /^"a b": It does not have the right form/],
  ['an empty file', '', /must be a mapping/],
])('%s is found where it is', (_, text, message) => {
  const findings = found(text);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

test('what is no YAML is said first, where it is', () => {
  expect(checkYaml(schema, 'version: 1\nname: [oops\n')[0]).toMatchObject({ severity: 'error' });
  expect(checkYaml(schema, 'a: 1\na: 2\n')[0]?.message).toMatch(/unique/i);
});

test('of the kind that a resource says it is, its own rules count', () => {
  expect(found('version: 1\nresources:\n  - name: a\n    type: container\n    agent: {}\n')).toEqual(['name: image is missing.']);
});

test('every keyword of the published schema is known here', () => {
  const known = new Set(
    '$schema title description default type enum const anyOf oneOf properties required additionalProperties propertyNames items minItems maxItems minLength maxLength pattern minimum maximum'.split(
      ' ',
    ),
  );
  const unknown = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!known.has(key)) unknown.add(key);
      if (key === 'properties') Object.values(inner as object).forEach(walk);
      else if (!['default', 'enum', 'const', 'required'].includes(key)) walk(inner);
    }
  };
  walk(source);
  expect([...unknown]).toEqual([]);
});
