import { DomainError, forbidden, invalid } from '@berth/core';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import { beginAttempt, completeAttempt } from '../auth/attempt.ts';
import type { Context } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type {
  BeginExternalAuth,
  CompleteExternalAuth,
  CompleteExternalAuthDevice,
  ExternalAuthDevice,
  ExternalAuthPath,
} from './contract.ts';
import { callbackAddress, pagePath, refusalOfService, requireProvider } from './providers.ts';
import { askForDeviceCode, authorizationAddress, exchangeCode, exchangeDeviceCode } from './service-requests.ts';
import type { ExternalAuthProvider } from './settings.ts';
import { storeLink } from './store-link.ts';
import { cleanCode } from './token-answer.ts';

type BrowserCall = UserCall & Pick<Context, 'response'>;

export const externalAuthPurpose = (providerId: string): string => `external-auth:${providerId}`;

/** The provider that the caller may link an account of. Everybody signed in may, unless their credential is a narrow one. */
function linkable(call: UserCall, id: string): ExternalAuthProvider {
  call.authorize.require(userObject(call.principal.userId), { sitewide: true });
  return requireProvider(call.services.settings, id);
}

/** Begins to link an account in this browser: returns the address at the service, where the person consents. */
export async function beginLink(call: BrowserCall, input: z.output<typeof BeginExternalAuth>): Promise<{ url: string }> {
  const { settings } = call.services;
  const provider = linkable(call, input.externalauth);
  if (provider.deviceCodeUrl !== undefined) {
    throw invalid('Accounts of this service are linked by a device code.');
  }
  const { state, challenge } = await beginAttempt(call, {
    purpose: externalAuthPurpose(provider.id),
    redirect: input.redirect,
    userId: call.principal.userId,
  });
  return { url: authorizationAddress(provider, { redirectUri: callbackAddress(settings, provider), state, challenge }) };
}

/** Completes what this browser began as this user: trades the code and keeps the link. Returns the path to go on to. */
export async function completeLink(call: BrowserCall, input: z.output<typeof CompleteExternalAuth>): Promise<{ redirect: string }> {
  const { settings } = call.services;
  const provider = linkable(call, input.externalauth);
  call.audit.set({ resourceId: call.principal.userId, target: provider.id, icon: provider.displayIcon });
  const attempt = completeAttempt(call, { purpose: externalAuthPurpose(provider.id), cookie: input.attempt, state: input.state });
  if (attempt.user_id !== call.principal.userId) throw forbidden('Another user began to link this account. Begin again.');
  if (input.error !== '') throw new DomainError('invalid', 'The external service refused.', { detail: cleanCode(input.error) });
  if (input.code === '') throw invalid('Validation failed.', [{ field: 'code', detail: 'must be what the service sent along' }]);
  const grant = await fromService(() =>
    exchangeCode(provider, { code: input.code, redirectUri: callbackAddress(settings, provider), verifier: attempt.verifier }),
  );
  await storeLink(call, provider, grant);
  return { redirect: attempt.redirect === '' ? `${pagePath(provider)}?redirected=true` : attempt.redirect };
}

/** Asks the service for a code that the person enters there, on any device. */
export async function beginDeviceLink(call: UserCall, input: z.output<typeof ExternalAuthPath>): Promise<ExternalAuthDevice> {
  const provider = linkable(call, input.externalauth);
  const url = requireDeviceFlow(provider);
  return fromService(() => askForDeviceCode(provider, url));
}

/** Keeps the link once the code was entered; until then refused with the service's code, such as `authorization_pending`. */
export async function completeDeviceLink(call: UserCall, input: z.output<typeof CompleteExternalAuthDevice>): Promise<void> {
  const provider = linkable(call, input.externalauth);
  requireDeviceFlow(provider);
  const grant = await fromService(() => exchangeDeviceCode(provider, input.device_code));
  await storeLink(call, provider, grant);
}

function requireDeviceFlow({ deviceCodeUrl }: ExternalAuthProvider): string {
  if (deviceCodeUrl === undefined) throw invalid('Accounts of this service are not linked by a device code.');
  return deviceCodeUrl;
}

async function fromService<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw refusalOfService(error);
  }
}
