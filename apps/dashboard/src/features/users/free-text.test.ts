import { USER_SEARCH, parseSearch } from '@berth/domain';
import { expect, test } from 'vitest';
import { freeTextQuery } from './free-text.ts';

test.each(['ada lovelace', 'status:active', 'a"b', ' spaced '])('%j is searched as it was typed, and never refused', (text) => {
  const parsed = parseSearch(freeTextQuery(text), USER_SEARCH);
  expect(parsed).toMatchObject({ ok: true, search: { search: text.replaceAll('"', ' ').trim() } });
});

test('nothing typed searches for everybody', () => {
  expect(freeTextQuery('  ')).toBe('');
});
