import { describe, expect, it } from 'vitest';
import { DomainError, conflict, invalidField, notFound } from './errors.ts';

describe('a refusal', () => {
  it('of what is absent says nothing about it', () => {
    expect(notFound()).toMatchObject({ kind: 'not_found', detail: undefined, validations: [] });
  });

  it('of one field names it', () => {
    expect(invalidField('name', 'is taken')).toMatchObject({ kind: 'invalid', validations: [{ field: 'name', detail: 'is taken' }] });
    expect(conflict('taken')).toMatchObject({ kind: 'conflict', validations: [] });
  });

  it('keeps its cause for the log and out of what is shown', () => {
    const error = new DomainError('unavailable', 'Try again.', { cause: new Error('connect ECONNREFUSED 10.0.0.1') });
    expect(error.cause).toBeInstanceOf(Error);
    expect(JSON.stringify(error)).not.toContain('10.0.0.1');
  });
});
