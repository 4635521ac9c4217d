import { expect, test } from 'vitest';
import { credentialCounts, credentialName } from './credentials.ts';

const key = { token_name: '', app_name: '', is_current: false } as const;

test('browsers, tokens and applications are told apart and counted apart', () => {
  const keys = [
    { login_type: 'password' },
    { login_type: 'oidc' },
    { login_type: 'token' },
    { login_type: 'oauth2_provider_app' },
  ] as const;
  expect(credentialCounts(keys)).toEqual({ session: 2, token: 1, app: 1 });
});

test('a key is called by what uses it', () => {
  expect(credentialName({ ...key, login_type: 'token', token_name: 'ci' })).toBe('Token ci');
  expect(credentialName({ ...key, login_type: 'oauth2_provider_app', app_name: 'grafana' })).toBe('Application grafana');
  expect(credentialName({ ...key, login_type: 'oidc', is_current: true })).toBe('This browser');
});
