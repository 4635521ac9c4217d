import { errorOf } from '@berth/client';
import type { ClientError } from '@berth/client';
import { tlsReason, validationText } from '@berth/core';
import { plain, plainLines } from './plain-text.ts';

/** What the program ends with. Documented in docs/cli.md; scripts rely on it. */
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

/** Each exit code in words, for the documentation. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'It worked.'],
  [EXIT.failed, 'It failed: a build that ended in an error, or something unexpected.'],
  [EXIT.usage, 'The command line is wrong, or the server found a value in it that breaks a rule.'],
  [EXIT.notSignedIn, 'Not signed in, or the session is over.'],
  [EXIT.notFound, 'There is no such thing, or you may not see it.'],
  [EXIT.refused, 'You may not do this.'],
  [EXIT.conflict, 'Something is in the way: a name that is taken, a build under way, a workspace that does not run.'],
  [EXIT.unavailable, 'The server, or what it needs, did not answer in time. The same command may work later.'],
  [EXIT.interrupted, 'Interrupted by Ctrl-C.'],
];

export interface CliErrorOptions {
  /** The fields or options that are wrong, and why. */
  readonly problems?: readonly { readonly field: string; readonly detail: string }[];
  /** What to do now: a sentence, or a command. */
  readonly next?: string;
  readonly cause?: unknown;
}

/** A refusal that ends the program: one sentence, the problems of single fields, and what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly problems: NonNullable<CliErrorOptions['problems']>;
  readonly next: string;

  constructor(exitCode: ExitCode, message: string, options: CliErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.exitCode = exitCode;
    this.problems = options.problems ?? [];
    this.next = options.next ?? '';
  }
}

export function usageError(message: string, options: CliErrorOptions = {}): CliError {
  return new CliError(EXIT.usage, message, options);
}

export function notFoundError(message: string, options: CliErrorOptions = {}): CliError {
  return new CliError(EXIT.notFound, message, options);
}

export function conflictError(message: string, options: CliErrorOptions = {}): CliError {
  return new CliError(EXIT.conflict, message, options);
}

export function notSignedIn(message = 'You are not signed in.'): CliError {
  return new CliError(EXIT.notSignedIn, message, { next: 'Sign in with: berth login <url>' });
}

/** The program was told to stop. */
export function interrupted(): CliError {
  return new CliError(EXIT.interrupted, 'Interrupted.');
}

/** What a person should hear of anything that was thrown. */
export function asCliError(error: unknown): CliError {
  // One that was thrown inside a call comes back wrapped.
  const own = chain(error).find((one) => one instanceof CliError);
  if (own !== undefined) return own;
  if (error instanceof TypeError && !isOfFetch(error)) return ownFault(error);
  if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')) return interrupted();
  return ofClient(errorOf(error), error);
}

/** What `fetch` throws when no answer came. Any other such error is a mistake of this program. */
function isOfFetch(error: TypeError): boolean {
  return error.message === 'fetch failed' || error.cause !== undefined;
}

function ownFault(cause: Error): CliError {
  return new CliError(EXIT.failed, `Something went wrong in this program: ${cause.message}`, {
    cause,
    next: 'With BERTH_DEBUG=1 the same command says where. Please report it.',
  });
}

function ofClient(error: ClientError, cause: unknown): CliError {
  const message = [error.message, error.detail].filter((part) => part !== '').join(' ');
  const options = { problems: error.validations, cause };
  switch (error.kind) {
    case 'invalid':
    case 'too_large':
      return new CliError(EXIT.usage, message, options);
    case 'unauthenticated':
      return notSignedIn('The server does not know this session: it is over, or the token is wrong.');
    case 'not_found':
      return new CliError(EXIT.notFound, message, options);
    case 'forbidden':
      return new CliError(EXIT.refused, message, options);
    case 'conflict':
    case 'not_ready':
    case 'has_dependents':
      return new CliError(EXIT.conflict, message, options);
    case 'rate_limited':
    case 'unavailable':
      return new CliError(EXIT.unavailable, message, options);
    case 'network':
      return unreachable(cause);
    case 'internal':
      return new CliError(EXIT.failed, message, {
        ...options,
        ...(error.requestId === '' ? {} : { next: `The server’s log has more about it under ${error.requestId}.` }),
      });
  }
}

/** The server gave no answer; `cause` says why, somewhere down its chain. */
export function unreachable(cause: unknown): CliError {
  const reasons = chain(cause);
  if (reasons.some((reason) => reason.name === 'TimeoutError')) {
    return new CliError(EXIT.unavailable, 'The server did not answer in time.', { cause });
  }
  if (reasons.some((reason) => reason.name === 'AbortError')) return interrupted();
  const last = reasons.at(-1);
  const code = last !== undefined && 'code' in last && typeof last.code === 'string' ? last.code : '';
  if (code === '' && reasons.some((reason) => reason instanceof SyntaxError)) {
    return new CliError(EXIT.unavailable, 'The server at this address is not a Berth server.', {
      cause,
      next: 'Check the address, or --url.',
    });
  }
  return new CliError(EXIT.unavailable, `The server cannot be reached: ${NETWORK_CODES.get(code) ?? reasonOf(last)}.`, {
    cause,
    next: 'Check the address and your network, or give another server with --url.',
  });
}

function reasonOf(error: Error | undefined): string {
  return error === undefined ? 'no answer' : (tlsReason(error) ?? error.message);
}

const NETWORK_CODES = new Map(
  Object.entries({
    ECONNREFUSED: 'nothing listens at its address',
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'its name cannot be looked up now',
    ECONNRESET: 'the connection was cut',
    ETIMEDOUT: 'the connection timed out',
    EHOSTUNREACH: 'there is no way to its network',
  }),
);

function chain(error: unknown): Error[] {
  const found: Error[] = [];
  let current = error;
  while (current instanceof Error && found.length < 8) {
    found.push(current);
    current = current instanceof AggregateError ? (current.errors[0] ?? current.cause) : current.cause;
  }
  return found;
}

/** Where the error came from, for those who look for its reason. */
export function formatTrace(error: CliError): string {
  return chain(error)
    .map((one) => `${plainLines(one.stack ?? one.message)}\n`)
    .join('');
}

/** The error as it is printed. */
export function formatError(error: CliError): string {
  const lines = [`error: ${plain(error.message)}`];
  for (const problem of error.problems) lines.push(`  ${plain(validationText(problem))}`);
  if (error.next !== '') lines.push(plain(error.next));
  return `${lines.join('\n')}\n`;
}
