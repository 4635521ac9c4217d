import { expect, test } from 'vitest';
import { appUrl, webUrl } from './app-url.ts';

const place = { ownerName: 'ada', workspaceName: 'calm-harbor', agentName: 'main' };
const inside = { external: false, subdomain: false, url: 'http://localhost:3000', slug: 'web' };

test('an app of the workspace opens through this server', () => {
  expect(appUrl(inside, place)).toBe('/@ada/calm-harbor.main/apps/web/');
});

test('an app that needs a name of its own, or has no address, cannot be opened', () => {
  expect(appUrl({ ...inside, subdomain: true }, place)).toBeUndefined();
  expect(appUrl({ ...inside, url: '' }, place)).toBeUndefined();
});

test('an external app opens at its own address, also in a desktop program', () => {
  expect(appUrl({ ...inside, external: true, url: 'https://example.com/x' }, place)).toBe('https://example.com/x');
  expect(appUrl({ ...inside, external: true, url: 'vscode://file/home' }, place)).toBe('vscode://file/home');
});

test.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,<script>', 'blob:x', 'not a url'])(
  'no address from a template runs in this page: %s',
  (url) => {
    expect(appUrl({ ...inside, external: true, url }, place)).toBeUndefined();
    expect(webUrl(url)).toBeUndefined();
  },
);
