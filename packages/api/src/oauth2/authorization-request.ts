import { invalidField } from '@berth/core';
import type { z } from 'zod';
import type { Call } from '../kernel/procedures.ts';
import type { Client } from './client.ts';
import { findClient } from './client.ts';
import type { AuthorizationRequest } from './contract.ts';
import { redirectUriMatches, redirectWith } from './redirect-uri.ts';
import { parseScope } from './scope.ts';

/** An authorization request whose application and redirect are certain, so that answers may go there. */
export interface CheckedRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly redirectUriGiven: boolean;
  /** The parsed scope; empty when the request cannot be approved for its scope. */
  readonly scope: string;
  readonly codeChallenge: string;
  /** What is wrong beyond that; the application learns it by redirect. */
  readonly refusal: { readonly error: string; readonly error_description: string; readonly redirect_url: string } | null;
  /** Where the browser goes with an answer; the state and the issuer (RFC 9207) go with it. */
  redirect(parameters: Readonly<Record<string, string>>): string;
}

/** S256 of any verifier: 32 bytes in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads an authorization request. An unknown application, or a redirect that is not its own, is refused outright: nobody is ever sent
 * there.
 */
export async function checkRequest(
  call: Pick<Call, 'db' | 'services'>,
  input: z.output<typeof AuthorizationRequest>,
): Promise<CheckedRequest> {
  const client = await findClient(call.db, input.client_id);
  if (client === null) throw invalidField('client_id', 'is not the id of an application');
  const redirectUri = input.redirect_uri ?? client.callbackUrl;
  if (!redirectUriMatches(redirectUri, client)) {
    throw invalidField('redirect_uri', 'is not, character by character, the callback URL of the application');
  }
  const redirect = (parameters: Readonly<Record<string, string>>): string =>
    redirectWith(redirectUri, { ...parameters, state: input.state, iss: call.services.settings.accessUrl });
  const scope = parseScope(input.scope);
  const problem = problemOf(input, client, scope);
  return {
    client,
    redirectUri,
    redirectUriGiven: input.redirect_uri !== undefined,
    scope: scope ?? '',
    codeChallenge: input.code_challenge ?? '',
    refusal: problem === null ? null : { ...problem, redirect_url: redirect(problem) },
    redirect,
  };
}

interface Problem extends Readonly<Record<string, string>> {
  readonly error: string;
  readonly error_description: string;
}

function problemOf(input: z.output<typeof AuthorizationRequest>, client: Client, scope: string | null): Problem | null {
  const problem = (error: string, description: string): Problem => ({ error, error_description: description });
  if (input.response_type === undefined) return problem('invalid_request', 'response_type is missing');
  if (input.response_type !== 'code') return problem('unsupported_response_type', 'response_type must be code');
  if (scope === null) return problem('invalid_scope', 'the scope names something that is not a scope of this server');
  const { code_challenge: challenge, code_challenge_method: method } = input;
  if (challenge === undefined) {
    if (method !== undefined) return problem('invalid_request', 'code_challenge_method without code_challenge');
    if (client.clientType === 'public') return problem('invalid_request', 'a public client must send a code_challenge');
    // Without a challenge, the state is all that ties the answer to the browser that asked.
    if (input.state === undefined || input.state === '') return problem('invalid_request', 'state is missing');
    return null;
  }
  if (method !== 'S256') return problem('invalid_request', 'code_challenge_method must be S256');
  return CHALLENGE.test(challenge) ? null : problem('invalid_request', 'code_challenge is not the S256 of a verifier');
}
