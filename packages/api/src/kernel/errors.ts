import type { ErrorKind, Validation } from '@berth/core';
import { DomainError, invalid, notFound } from '@berth/core';
import type { DatabaseLimit } from '@berth/db';
import { databaseLimit, isDatabaseAway, isForeignKeyViolation, isRecordNotFound, isSerializationFailure } from '@berth/db';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { z } from 'zod';

type TrpcCode = TRPCError['code'];

/** The one table from a kind of refusal to its tRPC code and HTTP status; both doors read it. */
export const ERROR_TABLE = {
  invalid: { code: 'BAD_REQUEST', status: 400 },
  unauthenticated: { code: 'UNAUTHORIZED', status: 401 },
  forbidden: { code: 'FORBIDDEN', status: 403 },
  not_found: { code: 'NOT_FOUND', status: 404 },
  not_ready: { code: 'PRECONDITION_FAILED', status: 406 },
  conflict: { code: 'CONFLICT', status: 409 },
  too_large: { code: 'PAYLOAD_TOO_LARGE', status: 413 },
  has_dependents: { code: 'UNPROCESSABLE_CONTENT', status: 417 },
  rate_limited: { code: 'TOO_MANY_REQUESTS', status: 429 },
  unavailable: { code: 'SERVICE_UNAVAILABLE', status: 503 },
} as const satisfies Record<ErrorKind, { code: TrpcCode; status: number }>;

/** What a caller learns of a failure, on both doors. An internal failure keeps its cause for the log only. */
export interface ErrorReport {
  readonly kind: ErrorKind | 'internal';
  readonly status: number;
  readonly message: string;
  readonly detail: string;
  readonly validations: readonly Validation[];
}

const INTERNAL: ErrorReport = {
  kind: 'internal',
  status: 500,
  message: 'An internal error occurred. The server log has the details under the request ID.',
  detail: '',
  validations: [],
};

/** One entry for each field, whose detail says every rule that it breaks. */
function validationsOf(error: z.core.$ZodError): Validation[] {
  const details = new Map<string, Set<string>>();
  const add = (path: readonly PropertyKey[], detail: string): void => {
    const field = path.map(String).join('.');
    details.set(field, (details.get(field) ?? new Set()).add(detail));
  };
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...issue.path, key], 'is not a known field');
    else add(issue.path, issue.message);
  }
  return [...details].map(([field, reasons]) => ({ field, detail: [...reasons].join('; ') }));
}

/** The refusal of input that a schema rejects, naming each field and the rules that it breaks. */
export function invalidInput(error: z.core.$ZodError): DomainError {
  return invalid('Validation failed.', validationsOf(error));
}

/** What tRPC itself refuses, such as a mutation by GET; its own failures are internal. */
function refusalOfTrpc(error: TRPCError): ErrorReport {
  const status = getHTTPStatusCodeFromError(error);
  return status >= 500 ? INTERNAL : { kind: 'invalid', status, message: error.message, detail: '', validations: [] };
}

/** Reads any thrown value as the report that the caller gets. */
export function reportOf(error: unknown): ErrorReport {
  if (error instanceof TRPCError) {
    if (error.cause instanceof DomainError) return reportOf(error.cause);
    const refusal = refusalOfDatabase(error.cause);
    if (refusal !== null) return reportOf(refusal);
    if (error.cause instanceof z.core.$ZodError && error.code === 'BAD_REQUEST') {
      return reportOf(invalidInput(error.cause));
    }
    const known = Object.entries(ERROR_TABLE).find(([, row]) => row.code === error.code);
    if (known === undefined) return refusalOfTrpc(error);
    const kind = known[0] as keyof typeof ERROR_TABLE;
    return { kind, status: ERROR_TABLE[kind].status, message: error.message, detail: '', validations: [] };
  }
  if (error instanceof DomainError) {
    return {
      kind: error.kind,
      status: ERROR_TABLE[error.kind].status,
      message: error.message,
      detail: error.detail ?? '',
      validations: error.validations,
    };
  }
  // Outside of procedures, too: a credential is looked up before any of them.
  const unavailable = databaseUnavailable(error);
  return unavailable === null ? INTERNAL : reportOf(unavailable);
}

const LIMIT_MESSAGES: Readonly<Record<DatabaseLimit, string>> = {
  disk: 'The database has no disk space left. An administrator must free some before anything can be saved.',
  memory: 'The database has no memory left. Try again.',
  connections: 'The database has no free connection. Try again.',
  resources: 'The database has reached a limit of its configuration. An administrator finds the reason in its log.',
  'read-only': 'The database is read-only, so nothing can be saved.',
};

/** What keeps the database from doing its work now; null for a failure that is not the database's. */
export function databaseUnavailable(error: unknown): DomainError | null {
  if (isDatabaseAway(error)) return new DomainError('unavailable', 'The database cannot be reached now. Try again.');
  const limit = databaseLimit(error);
  return limit === undefined ? null : new DomainError('unavailable', LIMIT_MESSAGES[limit]);
}

/** What the database refused because somebody else did something at the same time, or was not there for; null for every other failure. */
export function refusalOfDatabase(error: unknown): DomainError | null {
  // Somebody removed the row, or the one that it refers to, after the use case had found it: then it is not found, as a moment later.
  if (isRecordNotFound(error) || isForeignKeyViolation(error)) return notFound();
  const unavailable = databaseUnavailable(error);
  if (unavailable !== null) return unavailable;
  if (isSerializationFailure(error)) return new DomainError('unavailable', 'Others changed the same things at the same time. Try again.');
  return null;
}

/** The same refusal in tRPC's own type. Written here only. */
export function toTrpcError(error: DomainError): TRPCError {
  return new TRPCError({ code: ERROR_TABLE[error.kind].code, message: error.message, cause: error });
}
