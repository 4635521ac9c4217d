import { hashToken, tokenMatches } from '@berth/core/secrets';
import type { Principal, Services } from '../kernel/context.ts';

const BEARER = /^bearer +/i;

/** Whether this deployment takes SCIM at all. */
export function isScimEnabled({ settings }: Pick<Services, 'settings'>): boolean {
  return settings.scimToken !== null;
}

/**
 * Who sends this Authorization header to a SCIM address: the identity provider, or nobody. The token may stand there with or without
 * its scheme, and is compared in constant time. It is good for nothing else: no other door asks here.
 */
export function scimPrincipal(services: Pick<Services, 'settings'>, authorization: string | undefined): Principal {
  const token = (authorization ?? '').replace(BEARER, '').trim();
  const { scimToken } = services.settings;
  const isKnown = scimToken !== null && tokenMatches(token, hashToken(scimToken.reveal()));
  return isKnown ? { kind: 'scim' } : { kind: 'anonymous' };
}
