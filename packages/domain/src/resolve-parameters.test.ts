import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParameterType } from './enums.ts';
import { PARAMETER_TYPES } from './enums.ts';
import { validateDefinitions } from './parameter-definitions.ts';
import type { ParameterRequest } from './resolve-parameters.ts';
import { askedParameters, resolveRichParameters } from './resolve-parameters.ts';
import type { RichParameter } from './rich-parameter.ts';
import { richParameterFromWire, sortRichParameters } from './rich-parameter.ts';

function parameter(overrides: Partial<RichParameter> = {}): RichParameter {
  return {
    name: 'p',
    displayName: '',
    description: '',
    descriptionPlaintext: '',
    type: 'string',
    defaultValue: '',
    required: false,
    mutable: true,
    ephemeral: false,
    icon: '',
    options: [],
    validationError: '',
    validationRegex: '',
    validationMin: null,
    validationMax: null,
    validationMonotonic: '',
    displayOrder: 0,
    condition: null,
    ...overrides,
  };
}
const option = (value: string) => ({ name: value, description: '', icon: '', value });
const pairs = (values: Record<string, string> = {}) => Object.entries(values).map(([name, value]) => ({ name, value }));
const ask = (definitions: RichParameter[], requested?: Record<string, string>, previous?: Record<string, string>): ParameterRequest => ({
  definitions,
  requested: pairs(requested),
  previous: pairs(previous),
});

/** The values, or the broken rules as "parameter rule". */
function resolve(definitions: RichParameter[], requested?: Record<string, string>, previous?: Record<string, string>): unknown {
  const result = resolveRichParameters(ask(definitions, requested, previous));
  if (!result.ok) return result.problems.map(({ parameter: name, rule }) => `${name} ${rule}`);
  return Object.fromEntries(result.values.map(({ name, value }) => [name, value]));
}
function detail(definition: RichParameter, value: string): string | undefined {
  const result = resolveRichParameters(ask([definition], { [definition.name]: value }));
  return result.ok ? undefined : result.problems[0]?.detail;
}

describe('which value a build takes', () => {
  test('the requested one, else the last one, else the default', () => {
    const definition = parameter({ defaultValue: 'd' });
    expect(resolve([definition], { p: 'v' }, { p: 'o' })).toEqual({ p: 'v' });
    expect(resolve([definition], {}, { p: 'o' })).toEqual({ p: 'o' });
    expect(resolve([definition])).toEqual({ p: 'd' });
    expect(resolve([definition], { p: '' })).toEqual({ p: 'd' });
  });

  test('an ephemeral one falls back to the default after each build', () => {
    expect(resolve([parameter({ ephemeral: true, defaultValue: 'd' })], {}, { p: 'o' })).toEqual({ p: 'd' });
  });

  test('names that the version does not have are ignored', () => {
    expect(resolve([parameter()], { other: 'x' }, { old: 'y' })).toEqual({ p: '' });
  });

  test('values come in display order', () => {
    const definitions = [parameter({ name: 'b' }), parameter({ name: 'A' }), parameter({ name: 'first', displayOrder: -1 })];
    expect(sortRichParameters(definitions).map(({ name }) => name)).toEqual(['first', 'A', 'b']);
    const result = resolveRichParameters(ask(definitions));
    expect(result.ok && result.values.map(({ name }) => name)).toEqual(['first', 'A', 'b']);
  });
});

describe('refusals', () => {
  test('an immutable value cannot be sent again, not even unchanged', () => {
    const fixed = parameter({ mutable: false });
    expect(resolve([fixed], { p: 'a' })).toEqual({ p: 'a' });
    expect(resolve([fixed], { p: 'a' }, { p: 'a' })).toEqual(['p immutable']);
    expect(resolve([fixed], {}, { p: 'a' })).toEqual({ p: 'a' });
  });

  test('a required one needs a value that is not empty', () => {
    const required = parameter({ required: true });
    expect(resolve([required])).toEqual(['p required']);
    expect(resolve([required], { p: '' })).toEqual(['p required']);
    expect(resolve([required], {}, { p: 'o' })).toEqual({ p: 'o' });
    expect(resolve([parameter({ required: true, defaultValue: 'd' })])).toEqual(['p required']);
  });

  test('all of them are reported at once, each with its parameter', () => {
    const definitions = [
      parameter({ name: 'a', required: true }),
      parameter({ name: 'b', type: 'bool' }),
      parameter({ name: 'c', options: [option('x')] }),
      parameter({ name: 'd', mutable: false }),
    ];
    expect(resolve(definitions, { b: 'maybe', c: 'y', d: 'z' }, { d: 'z' })).toEqual(['a required', 'b type', 'c option', 'd immutable']);
  });

  test('the same name twice in a request is refused', () => {
    const request = { definitions: [parameter()], requested: [...pairs({ p: 'a' }), ...pairs({ p: 'b' })], previous: [] };
    const result = resolveRichParameters(request);
    expect(result.ok ? [] : result.problems.map(({ rule }) => rule)).toEqual(['duplicate']);
  });

  test.each<[string, Partial<RichParameter>, string, string | null]>([
    ['bool', { type: 'bool' }, 'true', null],
    ['bool', { type: 'bool' }, 'True', 'type'],
    ['list', { type: 'list(string)' }, '["a","b"]', null],
    ['list', { type: 'list(string)' }, '[1]', 'type'],
    ['list', { type: 'list(string)' }, 'a,b', 'type'],
    ['free number', { type: 'number' }, '1.5', null],
    ['free number', { type: 'number' }, 'many', 'type'],
    ['bounded number', { type: 'number', validationMin: 1, validationMax: 5 }, '1', null],
    ['bounded number', { type: 'number', validationMin: 1, validationMax: 5 }, '5', null],
    ['bounded number', { type: 'number', validationMin: 1, validationMax: 5 }, '0', 'min'],
    ['bounded number', { type: 'number', validationMin: 1, validationMax: 5 }, '6', 'max'],
    ['bounded number', { type: 'number', validationMin: 1 }, '1.5', 'type'],
    ['zero as a bound', { type: 'number', validationMin: 0 }, '-1', 'min'],
    ['pattern', { validationRegex: '^[a-z]+$' }, 'abc', null],
    ['pattern', { validationRegex: '^[a-z]+$' }, 'ABC', 'regex'],
    ['unanchored pattern', { validationRegex: 'b' }, 'abc', null],
    ['inline flag', { validationRegex: '(?i)^yes$' }, 'YES', null],
    ['broken pattern', { validationRegex: '(' }, 'x', 'definition'],
    ['option', { options: [option('x'), option('y')] }, 'y', null],
    ['option', { options: [option('x')] }, 'z', 'option'],
    ['several options', { type: 'list(string)', options: [option('x'), option('y')] }, '["y","x"]', null],
    ['none of several options', { type: 'list(string)', options: [option('x')] }, '[]', null],
    ['an item that is not among the options', { type: 'list(string)', options: [option('x')] }, '["x","z"]', 'option'],
    ['no list of options', { type: 'list(string)', options: [option('x')] }, 'z', 'type'],
    ['one of several lists', { type: 'list(string)', options: [option('["x"]'), option('["y","z"]')] }, '["y","z"]', null],
    ['a list that is not offered', { type: 'list(string)', options: [option('["x"]'), option('["y","z"]')] }, '["x","y"]', 'option'],
    ['option before other rules', { options: [option('Q')], validationRegex: '^[a-z]$' }, 'Q', null],
    ['NUL', {}, 'a\0', 'type'],
    ['length', {}, 'x'.repeat(8193), 'length'],
  ])('%s: %j with %j breaks %s', (_, rules, value, rule) => {
    expect(resolve([parameter(rules)], { p: value })).toEqual(rule === null ? { p: value } : [`p ${rule}`]);
  });

  test('a monotonic number moves one way only', () => {
    const grows = parameter({ type: 'number', validationMonotonic: 'increasing' });
    const shrinks = parameter({ type: 'number', validationMonotonic: 'decreasing' });
    expect(resolve([grows], { p: '9' }, { p: '10' })).toEqual(['p monotonic']);
    expect(resolve([grows], { p: '10' }, { p: '10' })).toEqual({ p: '10' });
    expect(resolve([grows], { p: '100' }, { p: '20' })).toEqual({ p: '100' });
    expect(resolve([shrinks], { p: '11' }, { p: '10' })).toEqual(['p monotonic']);
    expect(resolve([grows], { p: '1' })).toEqual({ p: '1' });
    expect(resolve([{ ...grows, options: [option('1'), option('2')] }], { p: '1' }, { p: '2' })).toEqual(['p monotonic']);
  });

  test("use the template's own words, with the numbers filled in", () => {
    const words = 'Choose {min} to {max}, not {value}.';
    expect(detail(parameter({ type: 'number', validationMin: 1, validationMax: 5, validationError: words }), '9')).toBe(
      'Choose 1 to 5, not 9.',
    );
    expect(detail(parameter({ validationRegex: '^a', validationError: 'Start with a.' }), 'b')).toBe('Start with a.');
    expect(detail(parameter({ type: 'number', validationMin: 1, validationMax: 5 }), '9')).toBe('Must be between 1 and 5.');
    expect(detail(parameter({ type: 'number', validationMax: 5, validationError: '{value}' }), '$&')).toBe('$&');
  });

  test('a pattern made to hang is answered at once', () => {
    const started = performance.now();
    expect(resolve([parameter({ validationRegex: '^(a+)+$' })], { p: `${'a'.repeat(8000)}!` })).toEqual(['p regex']);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('conditions', () => {
  const gpu = parameter({ name: 'gpu', type: 'bool', defaultValue: 'false' });
  const model = parameter({ name: 'model', required: true, condition: { parameter: 'gpu', equals: ['true'] } });
  const driver = parameter({ name: 'driver', defaultValue: 'v1', condition: { parameter: 'model', equals: ['a100', 'h100'] } });

  test('a parameter whose condition is not met takes no value and is never asked for', () => {
    expect(resolve([gpu, model, driver])).toEqual({ gpu: 'false' });
    expect(resolve([gpu, model, driver], { model: 'a100' }, { driver: 'v0' })).toEqual({ gpu: 'false' });
    expect(askedParameters(ask([gpu, model, driver])).map(({ name }) => name)).toEqual(['gpu']);
  });

  test('a parameter whose condition is met obeys its rules', () => {
    expect(resolve([gpu, model, driver], { gpu: 'true' })).toEqual(['model required']);
    expect(resolve([gpu, model, driver], { gpu: 'true', model: 'a100' })).toEqual({ gpu: 'true', model: 'a100', driver: 'v1' });
    expect(resolve([gpu, model, driver], { gpu: 'true', model: 'tpu' })).toEqual({ gpu: 'true', model: 'tpu' });
    expect(askedParameters(ask([gpu, model, driver], { gpu: 'true' })).map(({ name }) => name)).toEqual(['gpu', 'model']);
  });

  test('conditions in a circle are refused instead of followed', () => {
    const a = parameter({ name: 'a', condition: { parameter: 'b', equals: ['x'] } });
    const b = parameter({ name: 'b', condition: { parameter: 'a', equals: ['x'] } });
    expect(resolve([a, b], { a: 'x', b: 'x' })).toEqual(['a definition']);
    expect(validateDefinitions([a, b]).map(({ detail: text }) => text)).toContain('The condition depends on the parameter itself.');
  });

  test('what can no longer be changed is not asked for', () => {
    const fixed = parameter({ mutable: false });
    expect(askedParameters(ask([fixed])).length).toBe(1);
    expect(askedParameters(ask([fixed], {}, { p: 'x' })).length).toBe(0);
  });
});

describe('definitions', () => {
  test.each<[string, Partial<RichParameter>]>([
    ['Needs a name.', { name: ' ' }],
    ['A pattern needs type string', { type: 'number', validationRegex: 'x' }],
    ['cannot be read', { validationRegex: '(?=x)' }],
    ['A minimum or maximum needs type number', { validationMin: 1 }],
    ['is above the maximum', { type: 'number', validationMin: 2, validationMax: 1 }],
    ['A monotonic order needs type number', { validationMonotonic: 'increasing' }],
    ['must be mutable', { ephemeral: true, mutable: false }],
    ['cannot be required', { ephemeral: true, required: true }],
    ['same value', { options: [option('a'), { ...option('a'), name: 'b' }] }],
    ['The option "x" breaks', { type: 'bool', options: [option('x')] }],
    ['The default breaks', { options: [option('a')], defaultValue: 'b' }],
    ['does not exist', { condition: { parameter: 'ghost', equals: ['x'] } }],
  ])('are refused: %s', (text, rules) => {
    const problems = validateDefinitions([parameter(rules)]);
    expect(problems.map(({ detail: found }) => found).join('\n')).toContain(text);
  });

  test('names are unique, and conditions name values that can occur', () => {
    expect(validateDefinitions([parameter(), parameter()])).toEqual([{ parameter: 'p', detail: 'Two parameters have this name.' }]);
    const flag = parameter({ name: 'flag', type: 'bool', defaultValue: 'true' });
    expect(validateDefinitions([flag, parameter({ condition: { parameter: 'flag', equals: ['yes'] } })])[0]?.detail).toContain(
      'never has: yes',
    );
    expect(validateDefinitions([flag, parameter({ condition: { parameter: 'flag', equals: ['true'] } })])).toEqual([]);
  });

  test('travel without loss', () => {
    const wire = {
      name: 'p',
      display_name: 'P',
      description: 'd',
      description_plaintext: 'd',
      type: 'number',
      default_value: '1',
      required: false,
      mutable: true,
      ephemeral: false,
      icon: '',
      options: [],
      validation_error: 'e',
      validation_regex: '',
      validation_min: 0,
      validation_max: null,
      validation_monotonic: 'increasing',
    } as const;
    expect(richParameterFromWire(wire)).toEqual(
      parameter({
        displayName: 'P',
        description: 'd',
        descriptionPlaintext: 'd',
        type: 'number',
        defaultValue: '1',
        validationError: 'e',
        validationMin: 0,
        validationMonotonic: 'increasing',
      }),
    );
  });
});

test('what a build stored is accepted by the next build of the same version, unchanged', () => {
  const types = fc.constantFrom<ParameterType>(...PARAMETER_TYPES);
  const value = fc.constantFrom('', 'true', '1', '7', '-3', '["a"]', 'x', 'yes');
  const definition = (name: string) =>
    fc
      .record({
        type: types,
        defaultValue: value,
        required: fc.boolean(),
        mutable: fc.boolean(),
        bounded: fc.boolean(),
        chained: fc.boolean(),
      })
      .map((given) =>
        parameter({
          name,
          type: given.type,
          defaultValue: given.defaultValue,
          required: given.required,
          mutable: given.mutable,
          validationMin: given.bounded && given.type === 'number' ? 0 : null,
          validationMonotonic: given.bounded && given.type === 'number' ? 'increasing' : '',
          condition: given.chained && name === 'b' ? { parameter: 'a', equals: ['true', '1'] } : null,
        }),
      );
  fc.assert(
    fc.property(definition('a'), definition('b'), fc.dictionary(fc.constantFrom('a', 'b'), value), (a, b, requested) => {
      const first = resolveRichParameters(ask([a, b], requested));
      if (!first.ok) return;
      expect(resolveRichParameters({ definitions: [a, b], requested: [], previous: first.values })).toEqual(first);
    }),
  );
});
