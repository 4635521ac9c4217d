import { expect, test } from 'vitest';
import { readOptions, urlOfAddress } from './options.ts';

test.each([
  ['127.0.0.1:3001', 'http://127.0.0.1:3001'],
  ['berth.internal:80', 'http://berth.internal:80'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['[::]:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['127.0.0.1:0', undefined],
  ['nonsense', undefined],
  [undefined, undefined],
])('a server that listens on %s is reached at %s', (address, url) => {
  expect(urlOfAddress(address)).toBe(url);
});

test('the address of the command line stands over those of the environment, and has no slash at its end', () => {
  expect(readOptions(['--url', 'https://berth.example.com/', '--no-use'])).toMatchObject({
    url: 'https://berth.example.com',
    usesWorkspaces: false,
  });
});
