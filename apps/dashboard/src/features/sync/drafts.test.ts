import { expect, it } from 'vitest';
import { differs } from './drafts.ts';

const saved = { field: 'groups', regex_filter: null, mapping: { b: ['2'], a: ['1'] }, legacy_group_name_mapping: {} };

it('a draft is one only if it says something else', () => {
  expect(differs({ field: 'groups', regex_filter: null, mapping: { a: ['1'], b: ['2'] } }, saved)).toBe(false);
  expect(differs({ field: 'groups', regex_filter: null, mapping: { a: ['1'] } }, saved)).toBe(true);
  expect(differs({ field: 'teams', regex_filter: null, mapping: saved.mapping }, saved)).toBe(true);
});
