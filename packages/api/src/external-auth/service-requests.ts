import { z } from 'zod';
import type { OutboundAnswer } from './outbound.ts';
import { OutboundError, askService } from './outbound.ts';
import type { ExternalAuthProvider } from './settings.ts';
import type { Grant } from './token-answer.ts';
import { readFields, readGrant } from './token-answer.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const REVOKE_TIMEOUT_MS = 5_000;

/** Where a browser is sent to consent. */
export function authorizationAddress(
  provider: ExternalAuthProvider,
  { redirectUri, state, challenge }: { redirectUri: string; state: string; challenge: string },
): string {
  const url = new URL(provider.authorizeUrl);
  const params: Record<string, string> = {
    ...provider.extraAuthorizeParams,
    response_type: provider.type === 'azure-devops' ? 'Assertion' : 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    state,
    ...(provider.scopes.length === 0 ? {} : { scope: provider.scopes.join(' ') }),
    ...(provider.usesPkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** Trades the code that a browser brought back. Throws `ProviderRefusal` or `OutboundError`. */
export function exchangeCode(
  provider: ExternalAuthProvider,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
): Promise<Grant> {
  if (provider.type === 'azure-devops') {
    return askForGrant(provider, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: code,
      redirect_uri: redirectUri,
    });
  }
  return askForGrant(provider, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(provider.usesPkce ? { code_verifier: verifier } : {}),
  });
}

/** Trades a refresh token. Throws `ProviderRefusal` or `OutboundError`. */
export function refreshGrant(provider: ExternalAuthProvider, refreshToken: string): Promise<Grant> {
  const field = provider.type === 'azure-devops' ? 'assertion' : 'refresh_token';
  return askForGrant(provider, { grant_type: 'refresh_token', [field]: refreshToken });
}

/** Trades a device code, once its user code was entered; until then `ProviderRefusal` with `authorization_pending`. */
export function exchangeDeviceCode(provider: ExternalAuthProvider, deviceCode: string): Promise<Grant> {
  return askForGrant(provider, { grant_type: DEVICE_GRANT, device_code: deviceCode });
}

const whole = () =>
  z.preprocess((value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value), z.int().min(1).max(86_400));
const Device = z
  .looseObject({
    device_code: z.string().min(1).max(4096),
    user_code: z.string().min(1).max(64),
    verification_uri: z.url({ protocol: /^https?$/ }).max(2048),
    expires_in: whole().catch(900),
    interval: whole().catch(5),
  })
  .transform(({ device_code, user_code, verification_uri, expires_in, interval }) => ({
    device_code,
    user_code,
    verification_uri,
    expires_in,
    interval,
  }));

/** Asks for a code that a person enters on any device (RFC 8628). Throws `ProviderRefusal` or `OutboundError`. */
export async function askForDeviceCode(provider: ExternalAuthProvider, deviceCodeUrl: string): Promise<z.output<typeof Device>> {
  const body = new URLSearchParams({
    ...credentialsOf(provider),
    ...(provider.scopes.length === 0 ? {} : { scope: provider.scopes.join(' ') }),
  });
  const { verification_url: fallback, ...fields } = readFields(await askService(deviceCodeUrl, { method: 'POST', body }));
  const device = Device.safeParse({ verification_uri: fallback, ...fields });
  if (!device.success) throw new OutboundError('The service answered with a device code that cannot be used.');
  return device.data;
}

/**
 * Takes tokens back at the service, if it has an address for that. Never throws: whoever unlinks is not held up by a service that is
 * away. Returns why it did not work, or null.
 */
export async function revokeTokens(
  provider: ExternalAuthProvider,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
): Promise<string | null> {
  const { revokeUrl } = provider;
  if (revokeUrl === undefined) return null;
  const tokens = refreshToken === null ? [accessToken] : [refreshToken, accessToken];
  const revokes =
    provider.type === 'github' || provider.type === 'slack'
      ? [revokeInOwnForm(provider, revokeUrl, accessToken)]
      : tokens.map((token) => askService(revokeUrl, revocation(provider, token)));
  const outcomes = await Promise.allSettled(revokes);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') return outcome.reason instanceof Error ? outcome.reason.message : 'failed';
    if (outcome.value.status >= 400) return `The service answered with status ${outcome.value.status}.`;
  }
  return null;
}

/** RFC 7009. */
function revocation(provider: ExternalAuthProvider, token: string): Parameters<typeof askService>[1] {
  return { method: 'POST', body: new URLSearchParams({ ...credentialsOf(provider), token }), timeoutMs: REVOKE_TIMEOUT_MS };
}

function revokeInOwnForm(provider: ExternalAuthProvider, revokeUrl: string, accessToken: string): Promise<OutboundAnswer> {
  if (provider.type === 'slack') {
    return askService(revokeUrl, { method: 'POST', headers: bearer(accessToken), timeoutMs: REVOKE_TIMEOUT_MS });
  }
  const basic = Buffer.from(`${provider.clientId}:${provider.clientSecret?.reveal() ?? ''}`).toString('base64');
  return askService(revokeUrl, {
    method: 'DELETE',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
    body: JSON.stringify({ access_token: accessToken }),
    timeoutMs: REVOKE_TIMEOUT_MS,
  });
}

export const bearer = (accessToken: string): Record<string, string> => ({ authorization: `Bearer ${accessToken}` });

async function askForGrant(provider: ExternalAuthProvider, fields: Record<string, string>): Promise<Grant> {
  const body = new URLSearchParams({ ...credentialsOf(provider), ...fields });
  return readGrant(await askService(provider.tokenUrl, { method: 'POST', body }));
}

/** The client's credentials in the form, which is what git hosts take. */
function credentialsOf({ type, clientId, clientSecret }: ExternalAuthProvider): Record<string, string> {
  if (type === 'azure-devops') {
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: clientSecret?.reveal() ?? '',
    };
  }
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret.reveal() }) };
}
