import { nameProblem } from '@berth/domain';
import { expect, test } from 'vitest';
import { suggestedTokenName } from './token-name.ts';

test('the suggested name of a token says when it was made, and is one that the server takes', () => {
  const name = suggestedTokenName(new Date('2026-11-21T11:30:59.123Z'));
  expect(name).toBe('cli-20261121-113059');
  expect(nameProblem('token_name', name)).toBeNull();
});
