import { expect, test } from 'vitest';
import { invalidRequestReason } from './invalid-request.ts';

test.each([
  ['client_id', /No application is known/],
  ['redirect_uri', /not registered as its own/],
  ['state', /too long or garbled/],
])('a wrong %s has its sentence', (field, sentence) => {
  expect(invalidRequestReason({ kind: 'invalid', validations: [{ field, detail: 'is wrong' }] })).toMatch(sentence);
});

test('a server that is away says nothing about the request', () => {
  expect(invalidRequestReason({ kind: 'network', validations: [] })).toBeUndefined();
});
