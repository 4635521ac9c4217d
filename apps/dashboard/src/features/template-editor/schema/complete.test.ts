import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { complete, explain } from './complete.ts';
import type { JsonSchema } from './json-schema.ts';

const schema = JSON.parse(readFileSync(new URL('../../../../../../docs/berth.schema.json', import.meta.url), 'utf8')) as JsonSchema;

/** `¦` in the text is the cursor. */
function at(text: string): { text: string; line: number; column: number } {
  const before = text.slice(0, text.indexOf('¦'));
  const line = before.split('\n').length - 1;
  return { text: text.replace('¦', ''), line, column: before.length - (before.lastIndexOf('\n') + 1) };
}

function labels(marked: string): readonly string[] {
  const { text, line, column } = at(marked);
  return complete(schema, text, line, column)?.options.map(({ label }) => label) ?? [];
}

function inserted(marked: string, label: string): string | undefined {
  const { text, line, column } = at(marked);
  return complete(schema, text, line, column)?.options.find((option) => option.label === label)?.insert;
}

describe('keys', () => {
  test('at the top, those that are not there yet, above or below', () => {
    const found = labels('version: 1\n¦\nresources:\n  - name: a\n');
    expect(found).toContain('parameters');
    expect(found).not.toContain('version');
    expect(found).not.toContain('resources');
  });

  test('of an item of a list, on the line of its dash and below', () => {
    expect(labels('parameters:\n  - ¦')).toContain('display_name');
    expect(labels('parameters:\n  - name: a\n    def¦')).toContain('default');
    expect(labels('parameters:\n  - name: a\n    ¦')).not.toContain('name');
  });

  test('of a list at the column of its key', () => {
    expect(labels('parameters:\n- name: a\n  ¦')).toContain('mutable');
    expect(labels('parameters:\n- name: a\n¦')).toContain('resources');
  });

  test('deep in a file, with other items around', () => {
    const text = 'resources:\n  - name: a\n    type: process\n    agent:\n      apps:\n        - slug: x\n          ¦\n      scripts: []\n';
    expect(labels(text)).toContain('healthcheck');
    expect(labels(text)).not.toContain('slug');
  });

  test('of the kind of resource that its type says, also when it is said further down', () => {
    expect(labels('resources:\n  - name: a\n    type: container\n    ¦')).toContain('image');
    expect(labels('resources:\n  - name: a\n    type: process\n    ¦')).not.toContain('image');
    expect(labels('resources:\n  - name: a\n    ¦\n    type: process\n')).toContain('persistent_home');
    expect(labels('resources:\n  - name: a\n    ¦\n    type: process\n')).not.toContain('image');
  });

  test('are written with what comes after them', () => {
    expect(inserted('¦', 'name')).toBe('name: ¦');
    expect(inserted('¦', 'version')).toBe('version: 1¦');
    expect(inserted('par¦', 'parameters')).toBe('parameters:\n  - name: ¦');
    expect(inserted('resources:\n  - type: process\n    ¦', 'agent')).toBe('agent:\n      ¦');
  });

  test('under the key of a list: its dash', () => {
    expect(labels('parameters:\n  ¦')).toEqual(['- name:']);
  });
});

describe('values', () => {
  test('are those that the key takes', () => {
    expect(labels('parameters:\n  - name: a\n    type: ¦')).toEqual(['string', 'number', 'bool', 'list(string)']);
    expect(labels('parameters:\n  - name: a\n    mutable: ¦')).toEqual(['true', 'false']);
    expect(labels('resources:\n  - name: a\n    type: ¦')).toEqual(['process', 'container']);
  });

  test('in an expression are the parameters and variables of the file, and what is always known', () => {
    const text =
      'variables:\n  - { name: mirror }\nparameters:\n  - name: size\nresources:\n  - name: a\n    type: process\n    agent:\n      env:\n        X: ${{ ¦';
    expect(labels(text).slice(0, 3)).toEqual(['parameters.size', 'variables.mirror', 'workspace.id']);
    expect(inserted(text, 'parameters.size')).toBe('parameters.size }}¦');
    expect(inserted('name: ${{ par¦ }}', 'owner.name')).toBe('owner.name¦');
  });
});

test.each([
  ['a comment', '# ver¦'],
  ['a comment behind a value', 'version: 1 # ¦'],
  ['a script', 'resources:\n  - agent:\n      scripts:\n        - script: |\n            na¦'],
  ['a short form', 'parameters:\n  - { na¦'],
  ['under a key that has its value', 'name: a\n  ¦'],
])('nothing is offered in %s', (_, text) => {
  expect(labels(text)).toEqual([]);
});

test('a key says what it is for, and a value does not', () => {
  const key = at('parameters:\n  - name: a\n    mut¦able: true\n');
  expect(explain(schema, key.text, key.line, key.column)).toEqual({
    key: 'mutable',
    type: 'true or false',
    info: 'Whether it can be changed after the workspace was made. By default: false.',
  });
  const value = at('parameters:\n  - name: a\n    mutable: tr¦ue\n');
  expect(explain(schema, value.text, value.line, value.column)).toBeUndefined();
});
