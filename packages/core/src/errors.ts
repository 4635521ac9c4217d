/**
 * The closed union of reasons for which Berth refuses something. One table maps each to HTTP and tRPC codes
 * (`packages/api/src/kernel/errors.ts`); nothing else may invent a status.
 */
export type ErrorKind =
  /** The input breaks a rule: 400. */
  | 'invalid'
  /** We do not know who is calling: 401. */
  | 'unauthenticated'
  /** The caller may see the thing but not do this to it: 403. */
  | 'forbidden'
  /** Absent, or not readable by the caller; both look the same: 404. */
  | 'not_found'
  /** The object is not in a state that allows this yet: 406. */
  | 'not_ready'
  /** Another object or another running action is in the way: 409. */
  | 'conflict'
  /** More than a documented bound: 413. */
  | 'too_large'
  /** The object still owns others: 417. */
  | 'has_dependents'
  /** Too many requests: 429. */
  | 'rate_limited'
  /** A part that is needed is not there now; the same call may work later: 503. */
  | 'unavailable';

/** One broken rule: the wire name of the field and what the rule asks for. */
export interface Validation {
  readonly field: string;
  readonly detail: string;
}

/** Rules that start with a verb whose subject is the field. */
const PREDICATE = /^(is|are|was|must|has|have|had|cannot|needs?|belongs?|goes|owns|names) /;

/** A broken rule as a sentence: "name is required", or "name: the template has a version of this name". */
export function validationText({ field, detail }: Validation): string {
  if (field === '') return detail;
  return PREDICATE.test(detail) ? `${field} ${detail}` : `${field}: ${detail}`;
}

export interface DomainErrorOptions {
  readonly detail?: string;
  readonly validations?: readonly Validation[];
  readonly cause?: unknown;
}

/** What services throw. Its message, detail and validations are shown to the caller: never put a secret in them. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  readonly detail: string | undefined;
  readonly validations: readonly Validation[];

  constructor(kind: ErrorKind, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.detail = options.detail;
    this.validations = options.validations ?? [];
  }
}

/** The one answer for an absent row and for a row that the caller may not read; both must be byte-identical. */
export function notFound(): DomainError {
  return new DomainError('not_found', 'Resource not found or you do not have access to it.');
}

export function unauthenticated(message = 'Sign in, or send a valid API key in the Service-Session-Token header.'): DomainError {
  return new DomainError('unauthenticated', message);
}

export function forbidden(message = 'You are not allowed to do this.', detail?: string): DomainError {
  return new DomainError('forbidden', message, detail === undefined ? {} : { detail });
}

export function conflict(message: string, validations: readonly Validation[] = []): DomainError {
  return new DomainError('conflict', message, { validations });
}

/** A refusal of input, naming each field and the rule it broke. */
export function invalid(message: string, validations: readonly Validation[] = []): DomainError {
  return new DomainError('invalid', message, { validations });
}

/** The refusal of a single field: `field` is its name on the wire. */
export function invalidField(field: string, detail: string): DomainError {
  return invalid('Validation failed.', [{ field, detail }]);
}
