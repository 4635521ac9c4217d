import type { Settings } from '../kernel/context.ts';
import { codehostAddress, codehostPerson } from './codehost.ts';
import type { SignOnKind } from './contract.ts';
import type { AuthorizationAnswer, AuthorizationRequest } from './oidc.ts';
import { oidcAddress, oidcPerson } from './oidc.ts';
import type { Person } from './person.ts';
import type { SignOnProvider } from './settings.ts';

const CALLBACKS: Readonly<Record<SignOnKind, string>> = {
  oidc: '/api/v2/users/oidc/callback',
  codehost: '/api/v2/users/oauth2/codehost/callback',
};

/** Where providers of a kind send the browser back to; what has to be registered with them. */
export function callbackUrl({ accessUrl }: Pick<Settings, 'accessUrl'>, kind: SignOnKind): string {
  return `${accessUrl}${CALLBACKS[kind]}`;
}

/** The configured provider of a kind: the one with this id, or the first; null when there is none. */
export function findProvider({ signOn }: Pick<Settings, 'signOn'>, kind: SignOnKind, id?: string): SignOnProvider | null {
  return signOn.providers.find((provider) => provider.type === kind && (id === undefined || provider.id === id)) ?? null;
}

/** The provider's page for a request. Throws `provider_unavailable`. */
export async function addressOf(provider: SignOnProvider, request: AuthorizationRequest, now: Date): Promise<string> {
  return provider.type === 'oidc' ? oidcAddress(provider, request, now) : codehostAddress(provider, request);
}

/** Who came back from the provider's page, with everything verified. Throws a `SignOnRefusal`. */
export async function personOf(provider: SignOnProvider, answer: AuthorizationAnswer, now: Date): Promise<Person> {
  return provider.type === 'oidc' ? oidcPerson(provider, answer, now) : codehostPerson(provider, answer, now);
}
