import { errorOf } from '@berth/client';
import type { ClientError } from '@berth/client';
import { tlsReason, validationText } from '@berth/core';
import type { ExitCode } from './exit-codes.ts';
import { EXIT, exitOf } from './exit-codes.ts';
import { fileProblem } from './file-problems.ts';
import { plain, plainLines } from './plain-text.ts';

export { EXIT } from './exit-codes.ts';

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
  const problem = fileProblem(error);
  if (problem !== null) return new CliError(problem.exitCode, problem.message, { cause: error });
  return ofClient(errorOf(error), error);
}

/** What `fetch` throws when no answer came. Any other such error is a mistake of this program. */
function isOfFetch(error: TypeError): boolean {
  return error.message === 'fetch failed' || error.cause !== undefined;
}

function ownFault(cause: Error): CliError {
  return new CliError(EXIT.failed, `Unexpected error: ${cause.message}`, {
    cause,
    next: 'Run the command again with BERTH_DEBUG=1 for a stack trace, and report it.',
  });
}

function ofClient(error: ClientError, cause: unknown): CliError {
  if (error.kind === 'network') return unreachable(cause);
  if (error.kind === 'unauthenticated') return notSignedIn('The session has expired, or the token is wrong.');
  const message = [error.message, error.detail].filter((part) => part !== '').join(' ');
  return new CliError(exitOf(error), message, { problems: error.validations, cause, ...reportedAs(error) });
}

function reportedAs({ kind, requestId }: ClientError): Pick<CliErrorOptions, 'next'> {
  return kind === 'internal' ? requestIdNote(requestId) : {};
}

/** What finds a failed request in the server's log; nothing without an id. */
export function requestIdNote(requestId: string): Pick<CliErrorOptions, 'next'> {
  return requestId === '' ? {} : { next: `Request ID: ${requestId}` };
}

/**
 * Does something that the server rejects as invalid when it is not allowed at all, such as renaming where workspaces cannot be renamed.
 * Such an error names no field, and counts as one of permission.
 */
export async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { kind, validations, message } = errorOf(error);
    if (kind !== 'invalid' || validations.length > 0) throw error;
    throw new CliError(EXIT.refused, message, { cause: error });
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
    ECONNREFUSED: 'the connection was refused',
    ENOTFOUND: 'the host name is unknown',
    EAI_AGAIN: 'its host name cannot be resolved',
    ECONNRESET: 'the connection was reset',
    ETIMEDOUT: 'the connection timed out',
    EHOSTUNREACH: 'there is no route to it',
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
