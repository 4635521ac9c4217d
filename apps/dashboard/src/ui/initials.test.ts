import { expect, test } from 'vitest';
import { initials } from './initials.ts';

test.each([
  ['box', 'BO'],
  ['Web page', 'WP'],
  ['node-web-project', 'NW'],
  ['', ''],
])('%s is shown as %s', (name, letters) => {
  expect(initials(name)).toBe(letters);
});
