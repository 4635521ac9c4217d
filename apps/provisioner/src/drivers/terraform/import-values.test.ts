import { describe, expect, it } from 'vitest';
import type { RequiredParameter } from './hcl.ts';
import { exampleValues, relaxedValidations, restoreValidations } from './import-values.ts';

const required = (given: Partial<RequiredParameter>): RequiredParameter => ({
  label: 'p',
  name: 'P',
  type: 'string',
  firstOption: undefined,
  validation: undefined,
  ...given,
});

describe('an import without answers', () => {
  it.each([
    [{ type: 'number' }, '0'],
    [{ type: 'number', validation: { min: 3, max: 9 } }, '3'],
    [{ type: 'number', validation: { max: -1 } }, '-1'],
    [{ type: 'number', validation: { min: '${local.min}' } }, '0'],
    [{ type: 'bool' }, 'false'],
    [{ type: 'list(string)' }, '[]'],
    [{ firstOption: 'a' }, 'a'],
    [{ type: 'list(string)', firstOption: 'a' }, '["a"]'],
  ])('makes one up for %o', (given, value) => {
    expect(exampleValues([required(given)])).toEqual([{ name: 'P', value }]);
  });

  it('makes none up for a text, or for what has no name yet', () => {
    expect(exampleValues([required({}), required({ type: 'number', name: undefined })])).toEqual([]);
  });

  it('lets a text be empty that must match something, and says afterwards what it must match', () => {
    const text = required({ label: 'project', name: 'Project', validation: { regex: '^[a-z]+$', error: 'lower case' } });
    expect(relaxedValidations([required({})])).toBeUndefined();
    expect(JSON.parse(relaxedValidations([text, required({})]) ?? '')).toEqual({
      data: { coder_parameter: { project: { validation: [{}] } } },
    });
    const parameter = {
      name: 'Project',
      display_name: '',
      description: '',
      description_plaintext: '',
      type: 'string' as const,
      default_value: '',
      required: true,
      mutable: false,
      ephemeral: false,
      icon: '',
      options: [],
      validation_error: '',
      validation_regex: '',
      validation_min: null,
      validation_max: null,
      validation_monotonic: '' as const,
      display_order: 0,
    };
    expect(restoreValidations([parameter], [text])).toEqual([
      { ...parameter, validation_regex: '^[a-z]+$', validation_error: 'lower case' },
    ]);
    expect(restoreValidations([{ ...parameter, name: 'Other' }], [text])[0]?.validation_regex).toBe('');
  });
});
