import { expect, test } from 'vitest';
import { browserSessions } from './browser-sessions.ts';

const key = (id: string, more: { login_type?: string; is_current?: boolean; last_used?: string | null } = {}) => ({
  id,
  login_type: 'password',
  is_current: false,
  last_used: null,
  created_at: '2026-01-01T00:00:00Z',
  ...more,
});

test('tokens and applications are no sessions', () => {
  const keys = [
    key('a'),
    key('b', { login_type: 'token' }),
    key('c', { login_type: 'oauth2_provider_app' }),
    key('d', { login_type: 'oidc' }),
  ];
  expect(browserSessions(keys).map(({ id }) => id)).toEqual(['a', 'd']);
});

test('this browser stands first, then what was used last', () => {
  const keys = [
    key('never'),
    key('old', { last_used: '2026-02-01T00:00:00Z' }),
    key('here', { is_current: true, last_used: '2026-01-15T00:00:00Z' }),
    key('new', { last_used: '2026-03-01T00:00:00Z' }),
  ];
  expect(browserSessions(keys).map(({ id }) => id)).toEqual(['here', 'new', 'old', 'never']);
});
