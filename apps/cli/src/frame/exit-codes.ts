import type { ClientErrorKind } from '@berth/client';
import type { ErrorKind } from '@berth/core';

/** The exit codes of the program. Documented in docs/cli.md; scripts rely on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  refused: 5,
  conflict: 6,
  unavailable: 7,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** When each is used, for the documentation. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'The command succeeded.',
  failed: 'It failed: a build or a start script that failed, a full disk, or something unexpected.',
  usage: 'The command line is wrong: an unknown command or option, a missing file, or a value that the server rejects.',
  notSignedIn: 'You are not signed in, or the session has expired.',
  notFound: 'It does not exist, or you may not see it.',
  refused: 'You are not allowed to do this.',
  conflict:
    'Something is in the way: a name that is taken, a template that is in use, a build in progress or none to cancel, a workspace that is not running.',
  unavailable: 'The server, or something that it needs, did not answer in time. The same command may work later.',
  interrupted: 'Interrupted by Ctrl-C.',
};

const OF_KIND: Readonly<Record<ClientErrorKind, ExitCode>> = {
  invalid: EXIT.usage,
  too_large: EXIT.usage,
  unauthenticated: EXIT.notSignedIn,
  not_found: EXIT.notFound,
  forbidden: EXIT.refused,
  conflict: EXIT.conflict,
  not_ready: EXIT.conflict,
  has_dependents: EXIT.conflict,
  rate_limited: EXIT.unavailable,
  unavailable: EXIT.unavailable,
  network: EXIT.unavailable,
  internal: EXIT.failed,
};

/** The exit code for an error of the server. One that is invalid without naming a field is about the state of what it was asked to change. */
export function exitOf({ kind, validations }: { readonly kind: ClientErrorKind; readonly validations: readonly unknown[] }): ExitCode {
  return kind === 'invalid' && validations.length === 0 ? EXIT.conflict : OF_KIND[kind];
}

const KIND_OF_STATUS: Readonly<Record<number, ErrorKind>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  406: 'not_ready',
  409: 'conflict',
  413: 'too_large',
  417: 'has_dependents',
  429: 'rate_limited',
  503: 'unavailable',
};

/** What the HTTP status of an error means. */
export function kindOfStatus(status: number): ErrorKind | 'internal' {
  return KIND_OF_STATUS[status] ?? 'internal';
}
