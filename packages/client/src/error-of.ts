const KINDS = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'not_ready',
  'conflict',
  'too_large',
  'has_dependents',
  'rate_limited',
  'unavailable',
  'internal',
] as const;

/** The server's kinds of refusal, and two of our own: `network` (no answer came) and `internal` (anything else that went wrong). */
export type ClientErrorKind = (typeof KINDS)[number] | 'network';

export interface ClientError {
  readonly kind: ClientErrorKind;
  /** A sentence for a person. */
  readonly message: string;
  readonly detail: string;
  /** The fields that were refused and why, by their names on the wire. */
  readonly validations: readonly { readonly field: string; readonly detail: string }[];
  /** Finds the call in the server's log; empty when no answer came. */
  readonly requestId: string;
}

/** Reads whatever a call threw. Never throws itself. */
export function errorOf(error: unknown): ClientError {
  const message = error instanceof Error && error.message !== '' ? error.message : 'Something went wrong.';
  const data = field(error, 'data');
  const kind = KINDS.find((known) => known === field(data, 'kind'));
  if (kind === undefined) {
    return { kind: isNetwork(error) ? 'network' : 'internal', message, detail: '', validations: [], requestId: '' };
  }
  return {
    kind,
    message,
    detail: text(field(data, 'detail')),
    validations: validations(field(data, 'validations')),
    requestId: text(field(data, 'request_id')),
  };
}

/** tRPC wraps what `fetch` and WebSockets throw, and has an answer's data only when there was an answer. */
function isNetwork(error: unknown): boolean {
  const name = text(field(error, 'name'));
  if (name === 'TRPCClientError') return field(error, 'shape') === undefined || field(error, 'shape') === null;
  return name === 'AbortError' || name === 'TimeoutError' || error instanceof TypeError;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function validations(value: unknown): ClientError['validations'] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => ({ field: text(field(entry, 'field')), detail: text(field(entry, 'detail')) }));
}
