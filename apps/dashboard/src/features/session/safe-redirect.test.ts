import { expect, test } from 'vitest';
import { safeRedirect } from './safe-redirect.ts';

test('a path of this dashboard is kept with its query and hash', () => {
  expect(safeRedirect('/@ada/box/builds/3?q=a:b#line-4')).toBe('/@ada/box/builds/3?q=a:b#line-4');
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '',
  'workspaces',
  undefined,
  7,
])('no redirect leaves this site: %j', (target) => {
  expect(safeRedirect(target)).toBeUndefined();
});

test.each(['/login?redirect=/login', '/login', '/setup', '/reset-password?x=1'])('signing in never leads back to %s', (target) => {
  expect(safeRedirect(target)).toBeUndefined();
});

test('a page whose name merely begins alike is kept', () => {
  expect(safeRedirect('/logins')).toBe('/logins');
});
