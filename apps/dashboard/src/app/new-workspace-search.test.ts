import { expect, test } from 'vitest';
import { parseSearchText, searchText } from '../ui/search-params.ts';
import { newWorkspaceSearch, parametersOf, searchOf } from './new-workspace-search.ts';

test('an address gives a template, a name and values, and nothing else of it counts', () => {
  const search = newWorkspaceSearch(parseSearchText('?template=default/node&name=shop&param.size=large&mode=auto&consent=yes&param.='));
  expect(search).toEqual({ template: 'default/node', name: 'shop', 'param.size': 'large' });
  expect(parametersOf(search)).toEqual({ size: 'large' });
});

test('whatever a value holds, it comes back as it was', () => {
  const values = { 'dotted.name': 'a&b=c#d', list: '["a","ü"]', url: 'https://example.com/?q=1', yes: 'true', plus: 'a+b c' };
  expect(parametersOf(newWorkspaceSearch(parseSearchText(searchText(searchOf(values)))))).toEqual(values);
});

test('an address cannot be so long that a page breaks', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`param.p${index}`, 'x'.repeat(10_000)]));
  const kept = parametersOf(newWorkspaceSearch(many));
  expect(Object.keys(kept)).toHaveLength(100);
  expect(kept['p0']).toHaveLength(8192);
});
