import { AUDIT_SEARCH, parseSearch } from '@berth/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FILTER_KEYS, filterValue, parseTerms, renderTerms, withFilter } from './audit-query.ts';

test('a query reads the same as chips and as text', () => {
  const q = 'resource_type:workspace action:delete username:ada date_from:2026-01-02';
  expect(filterValue(q, 'action')).toBe('delete');
  expect(filterValue(q, 'date_to')).toBe('');
  expect(renderTerms(parseTerms(q))).toBe(q);
});

test('whatever is chosen, in whatever order, stands in the query, and the server reads the same texts', () => {
  const value = fc
    .string({ unit: fc.constantFrom('a', 'Z', '7', ' ', ':', '-', '=', '/'), minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() === text);
  const choices = fc.uniqueArray(fc.tuple(fc.constantFrom(...FILTER_KEYS), value), { selector: ([key]) => key });
  fc.assert(
    fc.property(choices, (chosen) => {
      const q = chosen.reduce((text, [key, choice]) => withFilter(text, key, choice), '');
      for (const [key, choice] of chosen) expect(filterValue(q, key)).toBe(choice);
      expect(renderTerms(parseTerms(q))).toBe(q);
      const target = chosen.find(([key]) => key === 'resource_target')?.[1];
      if (target !== undefined) {
        expect(parseSearch(withFilter('', 'resource_target', target), AUDIT_SEARCH)).toEqual({
          ok: true,
          search: { resourceTarget: target },
        });
      }
      expect(chosen.reduce((text, [key]) => withFilter(text, key, ''), q)).toBe('');
    }),
  );
});

test('changing one chip keeps every other term in its place', () => {
  const q = 'resource_target:"my box" action:delete username:ada';
  expect(withFilter(q, 'action', 'create')).toBe('resource_target:"my box" action:create username:ada');
  expect(withFilter(q, 'action', '')).toBe('resource_target:"my box" username:ada');
  expect(withFilter(q, 'organization', 'acme')).toBe(`${q} organization:acme`);
});

test('a bare resource type is the filter of that name, and is replaced by it', () => {
  expect(filterValue('workspace', 'resource_type')).toBe('workspace');
  expect(withFilter('workspace action:start', 'resource_type', 'user')).toBe('resource_type:user action:start');
});

test('half-typed text is no error', () => {
  expect(parseTerms('action: "open')).toEqual([{ key: '', value: 'open' }]);
  expect(parseTerms('   ')).toEqual([]);
});
