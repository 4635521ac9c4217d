import { expect, test } from 'vitest';
import { pageParam, parseSearchText, searchText } from './search-params.ts';

test('a search survives the way through the URL, quotes and spaces included', () => {
  const search = { q: 'owner:me resource_target:"my box" a/b', page: '2' };
  expect(parseSearchText(searchText(search))).toEqual(search);
});

test('a query stays readable in the URL', () => {
  expect(searchText({ q: 'owner:me template:a/b' })).toBe('?q=owner:me+template:a/b');
});

test('what is empty does not stand in the URL', () => {
  expect(searchText({ q: '', page: undefined })).toBe('');
});

test('a page that is no page is the first one', () => {
  expect([pageParam('0'), pageParam('-3'), pageParam('x'), pageParam('1.5'), pageParam(undefined), pageParam('1')]).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
  expect(pageParam('7')).toBe(7);
});
