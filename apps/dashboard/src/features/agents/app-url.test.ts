import { expect, test } from 'vitest';
import { appUrl, portUrl, webUrl } from './app-url.ts';

const place = { ownerName: 'ada', workspaceName: 'calm-harbor', agentName: 'main' };
const inside = {
  external: false,
  subdomain: false,
  url: 'http://localhost:3000',
  slug: 'web',
  subdomain_name: 'web--main--calm-harbor--ada',
};
const HOST = '*.apps.example.com:8443';

test('an app of the workspace opens through this server', () => {
  expect(appUrl(inside, place, HOST)).toBe('/@ada/calm-harbor.main/apps/web/');
});

test('an app with a host of its own opens there, by the scheme of this page', () => {
  expect(appUrl({ ...inside, subdomain: true }, place, HOST)).toBe('//web--main--calm-harbor--ada.apps.example.com:8443/');
});

test('a port opens on the host that its names make, with an s for what speaks TLS', () => {
  expect(portUrl({ port: 8080, protocol: 'http' }, place, HOST)).toBe('//8080--main--calm-harbor--ada.apps.example.com:8443/');
  expect(portUrl({ port: 8443, protocol: 'https' }, place, '*.localhost')).toBe('//8443s--main--calm-harbor--ada.localhost/');
  expect(portUrl({ port: 8080, protocol: 'http' }, { ...place, workspaceName: 'w'.repeat(60) }, HOST)).toBeUndefined();
  expect(portUrl({ port: 8080, protocol: 'http' }, place, '')).toBeUndefined();
});

test('an app whose host is not there, or without an address, cannot be opened', () => {
  expect(appUrl({ ...inside, subdomain: true }, place, '')).toBeUndefined();
  expect(appUrl({ ...inside, subdomain: true, subdomain_name: '' }, place, HOST)).toBeUndefined();
  expect(appUrl({ ...inside, url: '' }, place, HOST)).toBeUndefined();
});

test('an external app opens at its own address, also in a desktop program', () => {
  expect(appUrl({ ...inside, external: true, url: 'https://example.com/x' }, place, HOST)).toBe('https://example.com/x');
  expect(appUrl({ ...inside, external: true, url: 'vscode://file/home' }, place, HOST)).toBe('vscode://file/home');
});

test.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,<script>', 'blob:x', 'not a url'])(
  'no address from a template runs in this page: %s',
  (url) => {
    expect(appUrl({ ...inside, external: true, url }, place, HOST)).toBeUndefined();
    expect(webUrl(url)).toBeUndefined();
  },
);
