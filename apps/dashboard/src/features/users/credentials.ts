import type { Outputs } from '../../api/trpc.ts';

export type Credential = Outputs['tokens']['listSessions'][number];
export type CredentialKind = 'session' | 'token' | 'app';

/** What a key is used by: a browser, a program with a token, or an application that was given access. */
function credentialKind({ login_type: type }: Pick<Credential, 'login_type'>): CredentialKind {
  if (type === 'token') return 'token';
  return type === 'oauth2_provider_app' ? 'app' : 'session';
}

/** What a key is called in a row. */
export function credentialName(key: Pick<Credential, 'login_type' | 'token_name' | 'app_name' | 'is_current'>): string {
  switch (credentialKind(key)) {
    case 'token':
      return key.token_name === '' ? 'Token' : `Token ${key.token_name}`;
    case 'app':
      return key.app_name === '' ? 'Application' : `Application ${key.app_name}`;
    case 'session':
      return key.is_current ? 'This browser' : 'Browser';
  }
}

/** How many keys of each kind there are. */
export function credentialCounts(keys: readonly Pick<Credential, 'login_type'>[]): Record<CredentialKind, number> {
  const counts = { session: 0, token: 0, app: 0 };
  for (const key of keys) counts[credentialKind(key)] += 1;
  return counts;
}
