import { expect, test } from 'vitest';
import { formErrors } from './errors.ts';

const refusal = { kind: 'invalid', message: 'Validation failed.', detail: '', requestId: '' } as const;

test('a refusal stands beside its field, and nothing of it is lost when the form has no such field', () => {
  const problem = {
    ...refusal,
    validations: [
      { field: 'username', detail: 'is taken' },
      { field: 'organization_ids', detail: 'is unknown' },
    ],
  };
  expect(formErrors(problem, ['username'])).toEqual({ errors: { username: 'is taken' }, rest: 'organization_ids is unknown' });
});

test('a failure without fields is shown as a whole', () => {
  expect(formErrors({ ...refusal, kind: 'conflict', message: 'The name is taken.', validations: [] }, ['name'])).toEqual({
    errors: {},
    rest: 'The name is taken.',
  });
});
