import { describe, expect, it } from 'vitest';
import { redirectUriMatches, redirectWith } from './redirect-uri.ts';

const native = (callbackUrl: string) => ({ callbackUrl, clientType: 'public' });

describe('a redirect URI', () => {
  it('is the callback URL itself, character by character', () => {
    const app = { callbackUrl: 'https://app.example.com/back', clientType: 'confidential' };
    expect(redirectUriMatches('https://app.example.com/back', app)).toBe(true);
    for (const uri of ['https://app.example.com/back/', 'https://app.example.com/BACK', 'https://app.example.com/back?x', '']) {
      expect(redirectUriMatches(uri, app), uri).toBe(false);
    }
  });

  it('of a native app may have any port of the same loopback address, and nothing else may differ', () => {
    expect(redirectUriMatches('http://127.0.0.1:1234/a?b', native('http://127.0.0.1/a?b'))).toBe(true);
    expect(redirectUriMatches('http://[::1]:1234', native('http://[::1]:9'))).toBe(true);
    for (const uri of ['http://127.0.0.1:1234/a', 'http://127.0.0.1:123456/a?b', 'http://127.0.0.1:/a?b', 'http://127.0.0.2:1/a?b']) {
      expect(redirectUriMatches(uri, native('http://127.0.0.1/a?b')), uri).toBe(false);
    }
    expect(redirectUriMatches('http://127.0.0.1:1234/a\n', native('http://127.0.0.1/a'))).toBe(false);
  });
});

describe('an answer by redirect', () => {
  it('keeps the query that is there, and escapes what it adds', () => {
    expect(redirectWith('https://a.example/?x=%2F', { code: 'a b', state: undefined, iss: 'http://c' })).toBe(
      'https://a.example/?x=%2F&code=a+b&iss=http%3A%2F%2Fc',
    );
    expect(redirectWith('https://a.example', { code: '1' })).toBe('https://a.example?code=1');
  });
});
