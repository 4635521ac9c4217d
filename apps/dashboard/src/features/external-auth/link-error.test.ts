import { expect, test } from 'vitest';
import { linkErrorAdvice } from './link-error.ts';

test('a known code of the service becomes a next step', () => {
  expect(linkErrorAdvice('The external service refused. (access_denied)')).toContain('agree when it asks');
  expect(linkErrorAdvice('access_denied')).toContain('agree when it asks');
});

test.each(['Call 555-0100 to unlock your account', 'x (constructor)', ''])('text of the address is never shown: %j', (text) => {
  const advice = linkErrorAdvice(text);
  expect(advice).toMatch(/^Link again\./);
  if (text !== '') expect(advice).not.toContain(text);
});
