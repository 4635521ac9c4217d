import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutboundError } from './outbound.ts';
import { ProviderRefusal, readGrant } from './token-answer.ts';

const answer = (text: string, type = 'application/json', status = 200) => ({
  status,
  text,
  headers: new Headers({ 'content-type': type }),
});
const json = (value: unknown, status?: number) => answer(JSON.stringify(value), 'application/json', status);

describe('a grant', () => {
  const expected = { accessToken: 'at', refreshToken: 'rt', expiresInSeconds: 3600, extra: { scope: 'a b' } };

  it.each([
    ['JSON', json({ access_token: 'at', refresh_token: 'rt', expires_in: 3600, scope: 'a b' })],
    ['JSON with the number as text', json({ access_token: 'at', refresh_token: 'rt', expires_in: '3600', scope: 'a b' })],
    ['JSON called something else', answer('{"access_token":"at","refresh_token":"rt","expires_in":3600,"scope":"a b"}', 'text/html')],
    ['a form', answer('access_token=at&refresh_token=rt&expires_in=3600&scope=a+b', 'application/x-www-form-urlencoded; charset=utf-8')],
    ['a form as plain text', answer('access_token=at&refresh_token=rt&expires_in=3600&scope=a+b', 'text/plain')],
  ])('is read from %s', (_, given) => {
    expect(readGrant(given)).toEqual(expected);
  });

  it('has no end and no refresh token where the host says nothing, zero or an empty text', () => {
    const none = { refreshToken: null, expiresInSeconds: null };
    expect(readGrant(json({ access_token: 'at' }))).toMatchObject(none);
    expect(readGrant(json({ access_token: 'at', refresh_token: '', expires_in: 0 }))).toMatchObject(none);
    expect(readGrant(json({ access_token: 'at', expires_in: 'soon' }))).toMatchObject(none);
  });

  it('is a person’s where Slack grants one beside the app’s', () => {
    expect(readGrant(json({ ok: true, authed_user: { id: 'U1', access_token: 'xoxp' } })).accessToken).toBe('xoxp');
  });

  it('keeps no ID token, and nothing beyond a bound', () => {
    expect(readGrant(json({ access_token: 'at', id_token: 'a.b.c', more: 'x'.repeat(20_000) })).extra).toEqual({});
  });
});

describe('a refusal', () => {
  it.each([
    ['status 400', json({ error: 'invalid_grant', error_description: 'x' }, 400), 'invalid_grant'],
    ['status 200', json({ error: 'bad_verification_code' }), 'bad_verification_code'],
    ['a form', answer('error=authorization_pending', 'application/x-www-form-urlencoded'), 'authorization_pending'],
    ['Slack’s words', json({ ok: false, error: 'invalid_code' }), 'invalid_code'],
    ['words that are markup', json({ error: '<script>' }, 400), 'unknown_error'],
  ])('is read with %s', (_, given, code) => {
    expect(() => readGrant(given)).toThrow(expect.objectContaining({ code }));
  });
});

describe('what is no answer of a token endpoint', () => {
  it.each([
    ['HTML', answer('<html><body>access_token=at</body></html>', 'text/html')],
    ['HTML as plain text', answer('<p>access_token=at', 'text/plain')],
    ['nothing', answer('')],
    ['a list', json([{ access_token: 'at' }])],
    ['a page of an outage', answer('<h1>Bad gateway</h1>', 'text/html', 502)],
    ['a grant with the status of a failure', json({ access_token: 'at' }, 500)],
    ['a token that is no text', json({ access_token: { toString: 'at' } })],
    ['an empty token', json({ access_token: '' })],
  ])('is refused: %s', (_, given) => {
    expect(() => readGrant(given)).toThrow(OutboundError);
  });

  it('security: a token with a line break, NUL or a space reaches neither headers nor git', () => {
    for (const token of ['a\nhost=evil.example', 'a\r\nx: y', 'a\0b', 'a b', 'a\t', 'é']) {
      expect(() => readGrant(json({ access_token: token }))).toThrow(OutboundError);
      expect(() => readGrant(json({ access_token: 'at', refresh_token: token }))).toThrow(OutboundError);
    }
  });

  it('never fails in another way, and never quotes what it got', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', ''), (text, type) => {
        try {
          readGrant(answer(`${text}SECRET`, type));
        } catch (error) {
          if (error instanceof ProviderRefusal) return;
          if (!(error instanceof OutboundError)) throw error;
          expect(error.message).not.toContain('SECRET');
        }
      }),
    );
  });
});
