import type { ApiKeyScope } from '@berth/domain';

/** What a token may be made for; whatever it is, it never does more than its owner may. */
export const TOKEN_SCOPES: readonly {
  readonly value: ApiKeyScope;
  readonly label: string;
  readonly badge: string;
  readonly description: string;
}[] = [
  { value: 'all', label: 'Everything', badge: 'everything', description: 'Whatever you may do, now and later.' },
  { value: 'read_only', label: 'Read only', badge: 'read only', description: 'Sees what you see, and changes nothing.' },
  {
    value: 'application_connect',
    label: 'Apps only',
    badge: 'apps only',
    description: 'Opens the apps of your workspaces, and nothing else.',
  },
  { value: 'limited', label: 'Chosen permissions', badge: 'limited', description: 'Exactly what you pick here, as far as you may do it.' },
];

/** A scope in two words, for a list. */
export function scopeBadge(scope: ApiKeyScope): string {
  return TOKEN_SCOPES.find(({ value }) => value === scope)?.badge ?? scope;
}
