/** How people of one provider sign in: what the address of its first step needs. */
export interface ProviderChoice {
  readonly id: string;
  readonly type: 'oidc' | 'codehost';
}

const CALLBACKS = {
  oidc: '/api/v2/users/oidc/callback',
  codehost: '/api/v2/users/oauth2/codehost/callback',
} as const satisfies Record<ProviderChoice['type'], string>;

/**
 * Where the browser goes, leaving this dashboard, to sign in with a provider; it comes back to `redirect`, a path of this site. With a
 * `conversion`, the state of a conversion that the account's owner has begun, the account signs in with the provider from then on.
 */
export function signOnAddress({ id, type }: ProviderChoice, { redirect, conversion }: { redirect: string; conversion?: string }): string {
  const query = new URLSearchParams({ provider: id, redirect });
  if (conversion !== undefined) query.set('oidc_merge_state', conversion);
  return `${CALLBACKS[type]}?${query}`;
}
