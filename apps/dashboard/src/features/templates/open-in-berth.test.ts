import { expect, test } from 'vitest';
import { newWorkspaceSearch, parametersOf } from '../../app/new-workspace-search.ts';
import { parseSearchText } from '../../ui/search-params.ts';
import { htmlButton, markdownButton, prefillAddress } from './open-in-berth.ts';

const link = {
  origin: 'https://berth.example.com',
  organization: 'default',
  template: 'node-web',
  name: '',
  values: { repository: 'https://git.example.com/a?b=c&d', tools: '["git","x (y)"]', quote: `it's "<b>"` },
};

test('the link leads to the form of its template, with every value as it was', () => {
  const { pathname, search } = new URL(prefillAddress(link));
  expect(pathname).toBe('/templates/default/node-web/workspace');
  expect(parametersOf(newWorkspaceSearch(parseSearchText(search)))).toEqual(link.values);
});

test('whatever the values hold, they cannot end the button in Markdown or in HTML', () => {
  expect(markdownButton(link)).toMatch(
    /^\[!\[Open in Berth\]\(https:\/\/berth\.example\.com\/icon\/open-in-berth\.svg\)\]\([^()[\]\s]+\)$/,
  );
  expect(htmlButton(link)).toMatch(/^<a href="[^"<>']+"><img src="[^"<>]+" alt="Open in Berth" height="32"><\/a>$/);
});

test('a name is there only if one was given', () => {
  expect(prefillAddress({ ...link, values: {} })).toBe('https://berth.example.com/templates/default/node-web/workspace');
  expect(prefillAddress({ ...link, name: 'shop', values: {} })).toMatch(/\?name=shop$/);
});
