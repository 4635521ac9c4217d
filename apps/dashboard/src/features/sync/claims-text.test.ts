import { expect, test } from 'vitest';
import { readClaims } from './claims-text.ts';

test('claims are read from JSON, and from a whole token', () => {
  const claims = { sub: '1', groups: ['größe'] };
  expect(readClaims(` ${JSON.stringify(claims)} `)).toEqual({ claims });
  const part = btoa(String.fromCodePoint(...new TextEncoder().encode(JSON.stringify(claims))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  expect(readClaims(`eyJhbGciOiJub25lIn0.${part}.sig`)).toEqual({ claims });
});

test.each(['', '[]', '"text"', 'null', '{"a":'])('%j is no set of claims, and the reason is said', (text) => {
  expect(readClaims(text)).toHaveProperty('problem');
});
