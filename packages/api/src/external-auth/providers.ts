import { DomainError, notFound } from '@berth/core';
import type { Settings } from '../kernel/context.ts';
import { OutboundError } from './outbound.ts';
import type { ExternalAuthProvider } from './settings.ts';
import { ProviderRefusal } from './token-answer.ts';

/** The configured provider of this id. Throws `not_found`. */
export function requireProvider({ externalAuth }: Pick<Settings, 'externalAuth'>, id: string): ExternalAuthProvider {
  const provider = externalAuth.find((one) => one.id === id);
  if (provider === undefined) throw notFound();
  return provider;
}

/** The configured provider for a git address: of several, the one that is configured last. */
export function providerForAddress({ externalAuth }: Pick<Settings, 'externalAuth'>, address: string): ExternalAuthProvider | undefined {
  return externalAuth.findLast(({ regex }) => regex?.test(address) === true);
}

/** The one address that a provider sends browsers back to. */
export function callbackAddress({ accessUrl }: Pick<Settings, 'accessUrl'>, { id }: Pick<ExternalAuthProvider, 'id'>): string {
  return `${accessUrl}/external-auth/${id}/callback`;
}

/** The dashboard's page of a provider. */
export function pagePath({ id }: Pick<ExternalAuthProvider, 'id'>): string {
  return `/external-auth/${id}`;
}

/** What a service did, as a refusal to the caller: its own code in `detail`, or that it is not there. */
export function refusalOfService(error: unknown): unknown {
  if (error instanceof ProviderRefusal) {
    return new DomainError('invalid', 'The external service refused.', { detail: error.code, cause: error });
  }
  if (error instanceof OutboundError) {
    return new DomainError('unavailable', 'The external service did not help.', { detail: error.message, cause: error });
  }
  return error;
}
