import { expect, test } from 'vitest';
import { callbackProblem } from './app-form.ts';

test('an address to come back to is absolute, and holds neither a fragment nor credentials', () => {
  expect(['https://ci.example.com/callback?x=1', 'http://127.0.0.1:8080/'].map(callbackProblem)).toEqual([null, null]);
  for (const refused of ['', 'ci.example.com', '/callback', 'ftp://example.com', 'https://example.com/#done', 'https://a:b@example.com/']) {
    expect(callbackProblem(refused)).not.toBeNull();
  }
});
