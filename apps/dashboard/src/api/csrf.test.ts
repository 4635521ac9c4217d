import { expect, test } from 'vitest';
import { csrfToken } from './csrf.ts';

test('the token is found among other cookies, and the one of a TLS server wins', () => {
  expect(csrfToken('theme=dark; berth_csrf=abc-1; x=y')).toBe('abc-1');
  expect(csrfToken('berth_csrf=old; __Host-berth_csrf=new%3D')).toBe('new=');
});

test('before sign-in there is none, whatever else a cookie is called', () => {
  expect(csrfToken('')).toBe('');
  expect(csrfToken('not_berth_csrf=abc')).toBe('');
});
