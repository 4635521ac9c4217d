import { expect, it } from 'vitest';
import { isAllowedDomain, mergeClaims, personOfClaims } from './oidc-claims.ts';
import { OidcProvider } from './settings.ts';

const provider = (more: object = {}): OidcProvider =>
  OidcProvider.parse({ type: 'oidc', issuer_url: 'https://id.example.com', client_id: 'berth', ...more });

it('lets the userinfo answer win, but never about who the token is for', () => {
  const merged = mergeClaims(
    { iss: 'https://id', sub: '1', aud: 'berth', name: 'old' },
    { iss: 'https://evil', sub: '2', aud: 'x', name: 'new', nonce: 'y' },
  );
  expect(merged).toEqual({ iss: 'https://id', sub: '1', aud: 'berth', name: 'new' });
});

it('keeps email_verified with the address that it was said of', () => {
  const idToken = { email: 'a@example.com', email_verified: true };
  expect(mergeClaims(idToken, { email: 'b@example.com' })['email_verified']).toBeUndefined();
  expect(mergeClaims(idToken, { email: 'a@example.com' })['email_verified']).toBe(true);
  expect(mergeClaims(idToken, { email: 'b@example.com', email_verified: true })['email_verified']).toBe(true);
});

it('does not take email_verified for the address of another claim', () => {
  const claims = { email: 'a@example.com', email_verified: true, upn: 'b@example.com', preferred_username: 'c@example.com' };
  expect(personOfClaims(provider({ email_claim: 'upn' }), claims)).toMatchObject({ email: 'b@example.com', refusal: 'email_not_verified' });
  const { email: _, ...without } = claims;
  expect(personOfClaims(provider(), without)).toMatchObject({ email: 'c@example.com', refusal: 'email_not_verified' });
  expect(personOfClaims(provider({ ignore_email_verified: true }), without)).toMatchObject({ email: 'c@example.com', refusal: null });
});

it.each([
  ['ada@example.com', true],
  ['ada@EXAMPLE.com', true],
  ['ada@evilexample.com', false],
  ['ada@example.com.evil', false],
  ['ada@sub.example.com', false],
  ['ada@example.com@evil.org', false],
  ['ada@exam\u212Aple.com', false],
  ['', false],
])('compares domains exactly: %s', (email, isAllowed) => {
  expect(isAllowedDomain(['@example.com'], email)).toBe(isAllowed);
});
