import type { ErrorKind } from '@berth/core';
import { DomainError } from '@berth/core';

/** The words of RFC 7644, table 9, for what is wrong with a request. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A refusal that says its SCIM word beside its kind. */
export class ScimRefusal extends DomainError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, message: string, kind: ErrorKind = scimType === 'uniqueness' ? 'conflict' : 'invalid') {
    super(kind, message);
    this.scimType = scimType;
  }
}

/** The SCIM word of a refusal, if it has one. */
export function scimTypeOf(error: unknown): ScimType | null {
  if (error instanceof ScimRefusal) return error.scimType;
  return error instanceof Error && error.cause !== undefined ? scimTypeOf(error.cause) : null;
}
