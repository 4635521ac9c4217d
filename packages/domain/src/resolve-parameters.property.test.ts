import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MonotonicOrder, ParameterType } from './enums.ts';
import { PARAMETER_TYPES } from './enums.ts';
import { validateDefinitions } from './parameter-definitions.ts';
import type { ParameterValue } from './resolve-parameters.ts';
import { askedParameters, resolveRichParameters } from './resolve-parameters.ts';
import type { RichParameter } from './rich-parameter.ts';

/** The rules of one parameter, from which the properties below are judged without the code under test. */
const rules = fc
  .record({
    type: fc.constantFrom<ParameterType>(...PARAMETER_TYPES),
    defaultValue: fc.constantFrom('', '1', 'true', '["a"]', 'abc'),
    required: fc.boolean(),
    mutable: fc.boolean(),
    ephemeral: fc.boolean(),
    min: fc.option(fc.integer({ min: -5, max: 5 })),
    max: fc.option(fc.integer({ min: 5, max: 15 })),
    monotonic: fc.constantFrom<MonotonicOrder>('', 'increasing', 'decreasing'),
    regex: fc.constantFrom('', '^[a-z]+$'),
    optionValues: fc.option(fc.uniqueArray(fc.constantFrom('1', '2', 'true', 'abc', '["a"]'), { minLength: 1, maxLength: 3 })),
    error: fc.constantFrom('', 'Not {value}: {min} to {max}.'),
  })
  .map((given): RichParameter => ({
    name: 'p',
    displayName: '',
    description: '',
    descriptionPlaintext: '',
    type: given.type,
    defaultValue: given.defaultValue,
    required: given.required,
    mutable: given.mutable || given.ephemeral,
    ephemeral: given.ephemeral && !given.required,
    icon: '',
    options: (given.optionValues ?? []).map((value) => ({ name: value, description: '', value, icon: '' })),
    validationError: given.error,
    validationRegex: given.type === 'string' ? given.regex : '',
    validationMin: given.type === 'number' ? given.min : null,
    validationMax: given.type === 'number' ? given.max : null,
    validationMonotonic: given.type === 'number' ? given.monotonic : '',
    displayOrder: 0,
    condition: null,
  }));

const value = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    'false',
    'TRUE',
    'abc',
    'ABC',
    '["a","b"]',
    '["abc","1"]',
    '[]',
    '["a", 1]',
    '{}',
    '1.5',
    '-3',
    '+7',
    '007',
    '1e3',
    ' 1',
  ),
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.string({ maxLength: 6 }),
);

const isJsonTexts = (text: string): boolean => {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === 'string');
  } catch {
    return false;
  }
};

/** Whether a value that is not empty keeps the rules of its parameter, said once more in other words. */
function isSound(parameter: RichParameter, text: string): boolean {
  if (text.includes('\0')) return false;
  if (parameter.options.length > 0) {
    const offered = parameter.options.map((option) => option.value);
    if (parameter.type !== 'list(string)' || offered.some(isJsonTexts)) return offered.includes(text);
    return isJsonTexts(text) && (JSON.parse(text) as string[]).every((item) => offered.includes(item));
  }
  const { type, validationMin, validationMax, validationMonotonic, validationRegex } = parameter;
  if (type === 'bool') return ['true', 'false'].includes(text);
  if (type === 'list(string)') return isJsonTexts(text);
  if (type === 'string') return validationRegex === '' || [...text].every((letter) => letter >= 'a' && letter <= 'z');
  const isWhole = validationMin !== null || validationMax !== null || validationMonotonic !== '';
  if (!(isWhole ? /^[+-]?[0-9]+$/ : /^[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)$/).test(text)) return false;
  return (validationMin === null || Number(text) >= validationMin) && (validationMax === null || Number(text) <= validationMax);
}

const requested = (text: string | null): ParameterValue[] => (text === null ? [] : [{ name: 'p', value: text }]);

test('a first build takes a value exactly when it keeps every rule of its type, and says which parameter and rule it broke', () => {
  fc.assert(
    fc.property(rules, value, (parameter, text) => {
      const result = resolveRichParameters({ definitions: [parameter], requested: requested(text), previous: [] });
      const effective = text === '' ? parameter.defaultValue : text;
      const isAccepted = parameter.required && text === '' ? false : effective === '' || isSound(parameter, effective);
      expect(result.ok).toBe(isAccepted);
      if (result.ok) {
        expect(result.values).toEqual([{ name: 'p', value: effective }]);
      } else {
        expect(result.problems.map(({ parameter: name }) => name)).toEqual(['p']);
        expect(result.problems[0]?.detail).not.toBe('');
      }
    }),
    { numRuns: 2000 },
  );
});

test('over any series of builds: immutable values stay, monotonic ones go one way, ephemeral ones are forgotten, required ones are there', () => {
  fc.assert(
    fc.property(rules, fc.array(fc.option(value), { minLength: 1, maxLength: 8 }), (parameter, requests) => {
      // An import refuses the others.
      fc.pre(validateDefinitions([parameter]).length === 0);
      let previous: readonly ParameterValue[] = [];
      const taken: string[] = [];
      for (const text of requests) {
        const result = resolveRichParameters({ definitions: [parameter], requested: requested(text), previous });
        if (!result.ok) continue;
        previous = result.values;
        const now = result.values[0]?.value ?? '';
        if (parameter.ephemeral && text === null) expect(now).toBe(parameter.defaultValue);
        if (!parameter.ephemeral && text === null && taken.length > 0 && taken.at(-1) !== '') expect(now).toBe(taken.at(-1));
        if (parameter.required) expect(now).not.toBe('');
        taken.push(now);
      }
      if (!parameter.mutable && taken[0] !== '') expect(new Set(taken).size).toBeLessThanOrEqual(1);
      const numbers = taken.filter((text) => text !== '').map(Number);
      for (const [index, number] of numbers.entries()) {
        const before = numbers[index - 1];
        if (before === undefined || taken.includes('')) continue;
        if (parameter.validationMonotonic === 'increasing') expect(number).toBeGreaterThanOrEqual(before);
        if (parameter.validationMonotonic === 'decreasing') expect(number).toBeLessThanOrEqual(before);
      }
    }),
    { numRuns: 2000 },
  );
});

test('the words of the template are used as they stand, with the bounds and the value in their places', () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: 10, max: 99 }), fc.string({ maxLength: 8 }), (anything, number, words) => {
      const parameter: RichParameter = {
        ...anything,
        type: 'number',
        required: false,
        options: [],
        validationRegex: '',
        validationMin: 1,
        validationMax: 5,
        validationMonotonic: '',
        validationError: `${words} {min}-{max}, {value}{value}`,
      };
      const result = resolveRichParameters({ definitions: [parameter], requested: requested(String(number)), previous: [] });
      const filled = words.replaceAll('{min}', '1').replaceAll('{max}', '5').replaceAll('{value}', String(number));
      expect(result).toEqual({
        ok: false,
        problems: [{ parameter: 'p', rule: 'max', detail: `${filled} 1-5, ${number}${number}` }],
      });
    }),
  );
});

test('the form asks for exactly what the API would take: every value is refused for a parameter that it does not ask for', () => {
  fc.assert(
    fc.property(rules, fc.boolean(), (parameter, hasPrevious) => {
      const previous = hasPrevious ? requested('1') : [];
      const request = { definitions: [parameter], requested: [], previous };
      const isAsked = askedParameters(request).length > 0;
      expect(isAsked).toBe(parameter.mutable || !hasPrevious);
      if (isAsked) return;
      expect(resolveRichParameters({ ...request, requested: requested('1') })).toMatchObject({
        ok: false,
        problems: [{ parameter: 'p', rule: 'immutable' }],
      });
    }),
  );
});
