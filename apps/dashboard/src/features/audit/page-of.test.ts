import { expect, it } from 'vitest';
import { pageOf } from './page-of.ts';

it('leads to what has a page, with its search', () => {
  expect(pageOf('/@ada/first/builds/2')).toEqual({ to: '/@ada/first/builds/2', search: {} });
  expect(pageOf('/users?filter=ada%20l')).toEqual({ to: '/users', search: { filter: 'ada l' } });
  expect(pageOf('/deployment/oauth2-provider/apps/7b0c')).toEqual({ to: '/deployment/oauth2-provider/apps/7b0c', search: {} });
});

it('leads nowhere for a thing without a page, and never to another host', () => {
  for (const link of ['', '/templates/shell', '//evil.example/users?', 'https://evil.example']) expect(pageOf(link)).toBeNull();
});
