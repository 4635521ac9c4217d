/** Refusals of RFC 6749 section 5.2 and RFC 8628 section 3.5. */
export type TokenError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token';

/** A refusal in the protocol's own terms. It ends no transaction: what was revoked on the way stays revoked. */
export class OAuth2Refusal extends Error {
  readonly error: TokenError;
  constructor(error: TokenError, description: string) {
    super(description);
    this.error = error;
  }
}

interface RefusalAnswer {
  readonly status: 400 | 401;
  readonly body: { readonly error: string; readonly error_description: string };
}

/** Runs `work` and gives its result, or its refusal, the status that the protocol prescribes. */
export async function answered<T>(work: () => Promise<T>): Promise<{ readonly status: 200; readonly body: T } | RefusalAnswer> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    if (!(error instanceof OAuth2Refusal)) throw error;
    return { status: error.error === 'invalid_client' ? 401 : 400, body: { error: error.error, error_description: error.message } };
  }
}
