interface Key {
  readonly login_type: string;
  readonly is_current: boolean;
  readonly last_used: string | null;
  readonly created_at: string;
}

/** Of all that acts as somebody, the browsers: tokens and applications have their own pages. The current one first, then by last use. */
export function browserSessions<K extends Key>(keys: readonly K[]): K[] {
  const used = ({ last_used, created_at }: K): number => Date.parse(last_used ?? created_at);
  return keys
    .filter(({ login_type }) => login_type !== 'token' && login_type !== 'oauth2_provider_app')
    .toSorted((a, b) => Number(b.is_current) - Number(a.is_current) || used(b) - used(a));
}
