import { expect, test } from 'vitest';
import { isSameAddress, nameOfAddress } from './address.ts';

test('addresses are the same whatever the order and the writing of what they say', () => {
  expect(isSameAddress('q=owner:me&sort=name', 'sort=name&q=owner%3Ame')).toBe(true);
  expect(isSameAddress('?q=a+b', 'q=a%20b')).toBe(true);
  expect(isSameAddress('q=a', 'q=a&sort=name')).toBe(false);
});

test('a search has the name that its user gave it, before the one that everybody knows it by', () => {
  const presets = [
    { label: 'All', address: '' },
    { label: 'Failed', address: 'q=status:failed' },
  ];
  const saved = [
    {
      id: '1',
      user_id: '2',
      page: 'workspaces' as const,
      name: 'Trouble',
      address: 'q=status%3Afailed',
      created_at: '2026-01-01T00:00:00Z',
    },
  ];
  expect(nameOfAddress('q=status:failed', saved, presets)).toBe('Trouble');
  expect(nameOfAddress('q=status:failed', [], presets)).toBe('Failed');
  expect(nameOfAddress('', saved, presets)).toBe('All');
  expect(nameOfAddress('q=x', saved, presets)).toBeUndefined();
});
