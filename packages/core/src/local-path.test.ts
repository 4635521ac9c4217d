import fc from 'fast-check';
import { expect, it } from 'vitest';
import { localPath } from './local-path.ts';

it.each(['/', '/workspaces?q=a%20b#top', '/external-auth/github?redirected=true', '/@me/ws/apps/x/'])('keeps %s', (path) => {
  expect(localPath(path)).toBe(path);
});

it.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  'workspaces',
  '',
  `/${'a'.repeat(2000)}`,
  undefined,
  7,
])('takes no path for %j', (target) => {
  expect(localPath(target)).toBeUndefined();
});

it('never answers what resolves to another host', () => {
  const part = fc.constantFrom('/', '\\', '.', '..', '%2e', '%2f', '%5c', '\t', 'evil.example', '@', ':', '?', '#', ' ');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const path = localPath(`/${parts.join('')}`);
      if (path !== undefined) expect(new URL(path, 'https://berth.example').host).toBe('berth.example');
    }),
  );
});
