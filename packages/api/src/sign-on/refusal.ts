import type { ErrorKind } from '@berth/core';
import { DomainError } from '@berth/core';
import type { SignOnErrorCode } from './contract.ts';

/** What each code is on the typed door, in words. People see the dashboard's sentence for the code instead. */
const REFUSALS: Readonly<Record<SignOnErrorCode, readonly [kind: ErrorKind, message: string]>> = {
  unknown_provider: ['invalid', 'No such sign-on provider is configured.'],
  provider_unavailable: ['unavailable', 'The sign-on provider cannot be reached now.'],
  provider_denied: ['forbidden', 'The sign-on provider did not let this person in.'],
  provider_answer_invalid: ['unauthenticated', 'The answer of the sign-on provider is not valid.'],
  attempt_unknown: ['unauthenticated', 'This sign-on was not begun in this browser, or its time is over.'],
  email_missing: ['invalid', 'The sign-on provider gave no usable e-mail address.'],
  email_not_verified: ['forbidden', 'The sign-on provider has not verified the e-mail address.'],
  email_domain_not_allowed: ['forbidden', 'E-mail addresses of this domain may not sign in.'],
  not_in_allowed_group: ['forbidden', 'This person is in no group that may sign in.'],
  sign_ups_disabled: ['forbidden', 'There is no account for this person, and the provider may not make one.'],
  email_taken: ['conflict', 'Another account has this e-mail address. Sign in as before, then convert it in the account settings.'],
  username_taken: ['conflict', 'No free username was found for this person.'],
  not_set_up: ['forbidden', 'The first account of this deployment has to be made first.'],
  account_suspended: ['unauthenticated', 'This account is suspended. An administrator can activate it.'],
  account_deleted: ['unauthenticated', 'This account was deleted.'],
  other_login_type: ['forbidden', 'This account signs in in another way.'],
  convert_other_account: ['forbidden', 'This browser is not signed in to the account that is converted.'],
  convert_expired: ['invalid', 'This request to convert an account is not valid, or no longer.'],
  identity_taken: ['conflict', 'This account of the provider is linked to somebody else.'],
  convert_other_email: ['forbidden', 'The account of the provider has another e-mail address than the account that is converted.'],
  failed: ['unavailable', 'The sign-on failed.'],
};

/** A sign-on that does not succeed, with its stable code. */
export class SignOnRefusal extends DomainError {
  readonly code: SignOnErrorCode;

  constructor(code: SignOnErrorCode, cause?: unknown) {
    const [kind, message] = REFUSALS[code];
    super(kind, message, { cause });
    this.code = code;
  }
}

/** The code of whatever ended a sign-on, on its way through the router. */
export function signOnErrorCode(error: unknown): SignOnErrorCode {
  const cause = error instanceof Error && !(error instanceof SignOnRefusal) ? error.cause : error;
  return cause instanceof SignOnRefusal ? cause.code : 'failed';
}
