import type { SignOnErrorCode } from '@berth/api/contract/sign-on';

export interface SignOnProblem {
  readonly title: string;
  /** The next step. */
  readonly advice: string;
  /** True where an account was to be changed over, and whoever did that is still signed in as before. */
  readonly isConversion?: true;
}

const ADMINISTRATOR = 'whoever runs this server';

const PROBLEMS: Readonly<Record<SignOnErrorCode, SignOnProblem>> = {
  unknown_provider: {
    title: 'That way to sign in is not offered here',
    advice: 'The link is old or mistyped. Choose one of the ways below.',
  },
  provider_unavailable: {
    title: 'The provider does not answer',
    advice: `Try again in a minute. If it stays like that, ask ${ADMINISTRATOR} whether the provider is up.`,
  },
  provider_denied: {
    title: 'The provider did not let you in',
    advice: 'Signing in was cancelled or refused there. Try again, and agree when it asks.',
  },
  provider_answer_invalid: {
    title: 'The provider’s answer could not be trusted',
    advice: `Try again. If it stays like that, ask ${ADMINISTRATOR}: a setting of the provider does not fit.`,
  },
  attempt_unknown: {
    title: 'That attempt to sign in is over',
    advice: 'It was begun in another browser, used already, or is older than ten minutes. Begin again below.',
  },
  email_missing: {
    title: 'The provider did not say your e-mail address',
    advice: `Add one to your account there and let it be seen, or ask ${ADMINISTRATOR}.`,
  },
  email_not_verified: {
    title: 'Your e-mail address is not verified',
    advice: 'Verify it at the provider, then sign in again.',
  },
  email_domain_not_allowed: {
    title: 'Your e-mail address may not sign in here',
    advice: `Only some domains may. If you have another account there, choose it; else ask ${ADMINISTRATOR}.`,
  },
  not_in_allowed_group: {
    title: 'Your account is in none of the groups that may sign in',
    advice: `Ask to be added to one, then sign in again. ${capital(ADMINISTRATOR)} knows which.`,
  },
  sign_ups_disabled: {
    title: 'You have no account here yet',
    advice: `Signing in does not make one. Ask ${ADMINISTRATOR} for it.`,
  },
  email_taken: {
    title: 'An account with your e-mail address signs in another way',
    advice: 'Sign in as you did before. Under Account, Security you can then change over to the provider.',
  },
  username_taken: {
    title: 'No username was free for you',
    advice: `Ask ${ADMINISTRATOR} to make your account.`,
  },
  not_set_up: {
    title: 'This server is not set up yet',
    advice: 'Its first account is made with a password. Reload this page to begin.',
  },
  account_suspended: {
    title: 'Your account is suspended',
    advice: `Only ${ADMINISTRATOR} can activate it again.`,
  },
  account_deleted: {
    title: 'Your account was deleted',
    advice: `Ask ${ADMINISTRATOR} if that was not meant.`,
  },
  other_login_type: {
    title: 'Your account signs in another way now',
    advice: 'Choose another way below, as you did the last time.',
  },
  convert_other_account: {
    title: 'Your account was not changed over',
    advice: 'You were not, or no longer, signed in to it in this browser. Sign in as before, then begin again under Account, Security.',
    isConversion: true,
  },
  convert_expired: {
    title: 'Your account was not changed over',
    advice: 'It took longer than five minutes. Begin again under Account, Security.',
    isConversion: true,
  },
  identity_taken: {
    title: 'Your account was not changed over',
    advice: 'The account at the provider belongs to somebody else here. Choose another one there, or have them unlink it.',
    isConversion: true,
  },
  convert_other_email: {
    title: 'Your account was not changed over',
    advice: 'The account at the provider has another e-mail address than this one. Choose the one with the same address.',
    isConversion: true,
  },
  failed: {
    title: 'Signing in did not work',
    advice: `Try again. If it stays like that, tell ${ADMINISTRATOR} when it happened: the server’s log says more.`,
  },
};

/** What a code in the address says, in words with the next step. A code that we do not know reads like `failed`: the address is anybody's. */
export function signOnProblem(code: string): SignOnProblem {
  return isKnown(code) ? PROBLEMS[code] : PROBLEMS.failed;
}

function isKnown(code: string): code is SignOnErrorCode {
  return Object.hasOwn(PROBLEMS, code);
}

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
