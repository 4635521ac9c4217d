import { expect, test } from 'vitest';

import { parseForward, parsePortForward, placeOf } from './forward-specs.ts';

test.each([
  ['8080:localhost:80', ['127.0.0.1', 8080, 'localhost', 80]],
  ['0:db.internal:5432', ['127.0.0.1', 0, 'db.internal', 5432]],
  ['0.0.0.0:8080:localhost:80', ['0.0.0.0', 8080, 'localhost', 80]],
  ['*:8080:localhost:80', ['0.0.0.0', 8080, 'localhost', 80]],
  ['localhost:8080:[::1]:80', ['127.0.0.1', 8080, '::1', 80]],
  ['[::1]:8080:[fe80::1]:80', ['::1', 8080, 'fe80::1', 80]],
])('-L %s', (text, [listenHost, listenPort, host, port]) => {
  expect(parseForward(text)).toEqual({ listenHost, listenPort, host, port });
});

test.each(['', '8080', '8080:80', 'a:b:c', '8080:host:', '70000:host:80', '8080::80', '1:2:3:4:5', '8080:host:0'])(
  '-L %j is refused',
  (text) => {
    expect(() => parseForward(text)).toThrow();
  },
);

test.each([
  ['8080', ['127.0.0.1', 8080, '127.0.0.1', 8080]],
  ['8080:80', ['127.0.0.1', 8080, '127.0.0.1', 80]],
  ['0:80', ['127.0.0.1', 0, '127.0.0.1', 80]],
  ['0.0.0.0:8080', ['0.0.0.0', 8080, '127.0.0.1', 8080]],
  ['[::1]:8080:80', ['::1', 8080, '127.0.0.1', 80]],
  ['*:8080:80', ['0.0.0.0', 8080, '127.0.0.1', 80]],
])('--tcp %s', (text, [listenHost, listenPort, host, port]) => {
  expect(parsePortForward(text)).toEqual({ listenHost, listenPort, host, port });
});

test.each(['', 'x', '0', '8080:0', '65536', '1:2:3:4', '8080:', ':'])('--tcp %j is refused', (text) => {
  expect(() => parsePortForward(text)).toThrow();
});

test('a place with an IPv6 address has brackets', () => {
  expect(placeOf('::1', 80)).toBe('[::1]:80');
  expect(placeOf('127.0.0.1', 80)).toBe('127.0.0.1:80');
});
