import { timestamp, uuid } from '@berth/core';
import { LOGIN_TYPES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

/** The kinds of providers, which are also login types. */
export const SIGN_ON_KINDS = ['oidc', 'codehost'] as const;
export type SignOnKind = (typeof SIGN_ON_KINDS)[number];

/**
 * Why a sign-on did not succeed: the stable code in `/login?error=<code>`. The dashboard has a sentence for each.
 */
export const SIGN_ON_ERRORS = [
  /** No provider of this name is configured. */
  'unknown_provider',
  /** The provider cannot be reached, or answers with errors of its own; trying later may help. */
  'provider_unavailable',
  /** The person, or the provider, said no on the provider's page. */
  'provider_denied',
  /** The provider's answer breaks a rule of the protocol, or was forged: signature, nonce, issuer, audience, code. */
  'provider_answer_invalid',
  /** The attempt is unknown to this browser: begun elsewhere, used before, or older than ten minutes. */
  'attempt_unknown',
  /** The provider gave no usable e-mail address. */
  'email_missing',
  /** The provider does not say that the e-mail address is verified. */
  'email_not_verified',
  /** Addresses of this domain may not sign in. */
  'email_domain_not_allowed',
  /** The person is in none of the groups, organizations or teams that may sign in. */
  'not_in_allowed_group',
  /** Unknown person, and the provider may not make accounts. */
  'sign_ups_disabled',
  /** Another account has this e-mail address: sign in as before, then convert the account in its settings. */
  'email_taken',
  /** No free username was found. */
  'username_taken',
  /** Nobody has made the first account yet. */
  'not_set_up',
  'account_suspended',
  'account_deleted',
  /** The linked account signs in in another way now. */
  'other_login_type',
  /** Converting: the browser is not, or no longer, signed in to the account that is converted. */
  'convert_other_account',
  /** Converting: the request is older than five minutes, or is for another way to sign in. */
  'convert_expired',
  /** Converting: the provider's account is linked to somebody else. */
  'identity_taken',
  /** Converting: the provider's account has another e-mail address than this one. */
  'convert_other_email',
  /** Anything else; the server's log says more. */
  'failed',
] as const;
export type SignOnErrorCode = (typeof SIGN_ON_ERRORS)[number];

const ProviderId = z.string().max(64);

export const BeginSignOn = z.object({
  kind: z.enum(SIGN_ON_KINDS),
  provider: ProviderId.optional().meta({ description: 'The id of a configured provider; the first one of the kind when absent.' }),
  redirect: z.string().max(2000).optional().meta({ description: 'Where to go afterwards: a path of this server.' }),
  oidc_merge_state: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: 'The `state_string` of convert-login, to link instead of sign in.' }),
});

export const BegunSignOn = z.object({ redirect_to: z.string().meta({ description: 'The provider’s page.' }) });

export const CompleteSignOn = z.object({
  kind: z.enum(SIGN_ON_KINDS),
  state: z.string().max(512),
  attempt: z.string().max(8192).meta({ description: 'The value of the cookie of this attempt; empty when there is none.' }),
  /** The query of the callback as it came: the library checks it as a whole. */
  query: z.string().max(16_384),
});

export const CompletedSignOn = z.object({ redirect_to: z.string().meta({ description: 'A path of this server.' }) });

export const ConvertLogin = z
  .object({
    user: z.string().min(1).max(64).meta({ description: 'Yourself: your id, your user name, or `me`.' }),
    to_type: z.enum(LOGIN_TYPES),
    password: z.string().max(1024),
  })
  .meta({ id: 'ConvertLoginRequest' });

export const ConvertLoginResponse = z
  .object({
    state_string: z.string().meta({ description: 'Send the browser to the callback of the new way with it as `oidc_merge_state`.' }),
    expires_at: timestamp(),
    to_type: z.enum(LOGIN_TYPES),
    user_id: uuid(),
  })
  .meta({ id: 'OAuthConversionResponse', description: 'Leave to exchange the password of an account for a provider’s sign-on.' });

export const routes = {
  convertLogin: route({
    method: 'POST',
    path: '/users/{user}/convert-login',
    tag: 'Authorization',
    id: 'convert-user-from-password-to-oauth-authentication',
    summary: 'Ask to sign in by a provider instead of a password',
    description:
      'Checks the password and gives a state, valid for five minutes. The account changes when this browser then signs in at the provider with it.',
    status: 201,
    errors: ['forbidden', 'not_found'],
  }),
};
