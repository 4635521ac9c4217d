import type { CustomFetch } from 'openid-client';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { OutboundError, askService } from '../external-auth/outbound.ts';
import { SignOnRefusal } from './refusal.ts';

/** Seconds that a provider has for an answer; the library's own clock, beside the one of `askService`. */
export const PROVIDER_TIMEOUT_SECONDS = 10;

/** How the library asks a provider: bounded in time and size, and to no address that a redirect names. */
export const providerFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  if (method !== 'GET' && method !== 'POST') throw new Error(`a provider is never asked by ${method}`);
  const answer = await askService(url, {
    method,
    headers,
    ...(body instanceof URLSearchParams || typeof body === 'string' ? { body } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  const hasNoBody = answer.status === 204 || answer.status === 304;
  return new Response(hasNoBody ? null : answer.text, { status: answer.status, headers: answer.headers });
};

/** What the provider's page answered in place of a code. */
export function refusalOfPage(error: unknown): SignOnRefusal | null {
  return error instanceof AuthorizationResponseError ? new SignOnRefusal('provider_denied', error) : null;
}

/** Reads any failure of the library as a refusal: the provider is away, or said something that is not valid. */
export function refusalOfProvider(error: unknown): SignOnRefusal {
  if (error instanceof SignOnRefusal) return error;
  return new SignOnRefusal(isAway(error) ? 'provider_unavailable' : 'provider_answer_invalid', error);
}

/** Whether it is the provider or the way to it that failed, so that the same request may work later. */
function isAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause !== undefined && cause !== null && depth < 5; depth++) {
    if (cause instanceof OutboundError) return true;
    if (cause instanceof ResponseBodyError && (cause.status >= 500 || cause.status === 429)) return true;
    if (cause instanceof Response) return cause.status >= 500 || cause.status === 429;
    if (!(cause instanceof Error)) return false;
    if (['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(String(Reflect.get(cause, 'code')))) return true;
    cause = cause.cause;
  }
  return false;
}

/** Whether the provider refused a refresh token for good, so that the person has to sign in anew. */
export function isDefinitive(error: unknown): boolean {
  const body = error instanceof ResponseBodyError ? error.error : wordOfGithub(error);
  return body === 'invalid_grant' || body === 'bad_refresh_token';
}

/** GitHub refuses with status 200 and an `error` in the body, which the library only calls not valid. */
function wordOfGithub(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.cause : undefined;
  const body: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'body') : undefined;
  return typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : undefined;
}

/**
 * What went wrong, for the log: messages and codes alone, since the library's errors carry what was sent and answered, codes and claims
 * included.
 */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause) {
    const word: unknown = Reflect.get(cause, 'error') ?? Reflect.get(cause, 'code');
    parts.push(typeof word === 'string' ? `${cause.message} (${word})` : cause.message);
  }
  return parts.join(': ').slice(0, 1000);
}
