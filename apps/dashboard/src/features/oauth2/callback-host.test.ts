import { expect, test } from 'vitest';
import { hostOf, webAddress } from './callback-host.ts';

test('the host stands with its port, and without what could imitate another one', () => {
  expect(hostOf('https://tides.example:8443/callback?host=berth.example')).toBe('tides.example:8443');
  expect(hostOf('https://berth.example@evil.example/')).toBe('evil.example');
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not an address', ''])(
  'the browser is never sent to %j',
  (address) => {
    expect(webAddress(address)).toBeUndefined();
  },
);

test('an address of the web is kept as it is', () => {
  expect(webAddress('http://127.0.0.1:4123/done?code=a%2Bb&state=x')).toBe('http://127.0.0.1:4123/done?code=a%2Bb&state=x');
});
