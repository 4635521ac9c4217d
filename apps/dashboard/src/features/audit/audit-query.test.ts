import { expect, test } from 'vitest';
import { filterValue, parseTerms, renderTerms, withFilter } from './audit-query.ts';

test('a query reads the same as controls and as text', () => {
  const q = 'resource_type:workspace action:delete username:ada date_from:2026-01-02';
  expect(filterValue(q, 'action')).toBe('delete');
  expect(filterValue(q, 'date_to')).toBe('');
  expect(renderTerms(parseTerms(q))).toBe(q);
});

test('changing one control keeps every other term in its place', () => {
  const q = 'resource_target:"my box" action:delete username:ada';
  expect(withFilter(q, 'action', 'create')).toBe('resource_target:"my box" action:create username:ada');
  expect(withFilter(q, 'action', '')).toBe('resource_target:"my box" username:ada');
  expect(withFilter(q, 'organization', 'acme')).toBe(`${q} organization:acme`);
});

test('values with spaces and colons are quoted, so that the server reads them whole', () => {
  expect(withFilter('', 'username', 'ada lovelace')).toBe('username:"ada lovelace"');
  expect(parseTerms('email:"a:b c"')).toEqual([{ key: 'email', value: 'a:b c' }]);
});

test('a bare resource type is the filter of that name, and is replaced by it', () => {
  expect(filterValue('workspace', 'resource_type')).toBe('workspace');
  expect(withFilter('workspace action:start', 'resource_type', 'user')).toBe('resource_type:user action:start');
});

test('half-typed text is no error', () => {
  expect(parseTerms('action: "open')).toEqual([{ key: '', value: 'open' }]);
  expect(parseTerms('   ')).toEqual([]);
});
