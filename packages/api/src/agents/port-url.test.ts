import { parseWildcardHost } from '@berth/domain';
import { expect, test } from 'vitest';
import { portUrl } from './port-url.ts';

const place = { agent: 'main', workspace: 'Garden', owner: 'ada' };

test.each([
  ['http://berth.test', '*.apps.berth.test:8443', 'http://{{port}}--main--garden--ada.apps.berth.test:8443'],
  ['https://berth.test', '*--apps.berth.test', 'https://{{port}}--main--garden--ada--apps.berth.test'],
])('at %s under %s a port is reached at %s', (accessUrl, wildcard, url) => {
  expect(portUrl({ accessUrl, wildcardHost: parseWildcardHost(wildcard) }, place)).toBe(url);
});

test('without a domain for apps, and with names that fit into no host, a port has no address', () => {
  expect(portUrl({ accessUrl: 'http://berth.test', wildcardHost: null }, place)).toBe('');
  const wildcardHost = parseWildcardHost('*.apps.berth.test');
  expect(portUrl({ accessUrl: 'http://berth.test', wildcardHost }, { ...place, workspace: 'w'.repeat(60) })).toBe('');
});
