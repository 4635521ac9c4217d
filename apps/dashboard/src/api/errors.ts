import type { ClientError, ClientErrorKind } from '@berth/client';
import { errorOf } from '@berth/client';
import { validationText } from '@berth/core';

const UNREACHABLE = {
  message: 'The server does not answer.',
  detail: 'Check your connection, or ask whoever runs Berth whether it is up.',
} as const;

/** A failure in words that a person can act on. */
export function problemOf(error: unknown): ClientError {
  const problem = errorOf(error);
  return problem.kind === 'network' ? { ...problem, ...UNREACHABLE } : problem;
}

export function isKind(error: unknown, kind: ClientErrorKind): boolean {
  return errorOf(error).kind === kind;
}

/** Refusals as the errors of a form, for the fields that the form has; `rest` is what no field can show. */
export function formErrors(problem: ClientError, fields: readonly string[]): { errors: Record<string, string>; rest: string } {
  const errors: Record<string, string> = {};
  const rest: string[] = [];
  for (const validation of problem.validations) {
    if (fields.includes(validation.field)) errors[validation.field] = validation.detail;
    else rest.push(validationText(validation));
  }
  if (problem.validations.length === 0) rest.push(problem.detail === '' ? problem.message : `${problem.message} ${problem.detail}`);
  return { errors, rest: rest.join('. ') };
}
