import { expect, it } from 'vitest';
import { benchId } from './ids.ts';

it('makes the ids that PostgreSQL makes of the same kind and number', () => {
  // SELECT md5('user1')::uuid
  expect(benchId('user', 1)).toBe('24c9e15e-52af-c47c-225b-757e7bee1f9d');
});
