/** An answer of an external service, read whole. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A request to an external service that got no usable answer. The message says what happened and carries nothing that was sent. */
export class OutboundError extends Error {}

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;
/** Some services refuse requests that name no program. */
const USER_AGENT = 'Berth';

/**
 * Asks an external service at a configured address. Follows no redirect, so a token or a secret reaches no other address; waits at
 * most ten seconds and reads at most 256 KiB, however slow or long the answer is.
 *
 * @throws OutboundError when there is no whole answer.
 */
export async function askService(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
  const { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': USER_AGENT, ...headers },
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await readBounded(response) };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError(reasonOf(error, timeout, timeoutMs), { cause: codeOf(error) });
  }
}

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new OutboundError(`The service answered with more than ${ANSWER_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown, timeout: AbortSignal, timeoutMs: number): string {
  if (timeout.aborted) return `The service did not answer within ${timeoutMs / 1000} seconds.`;
  const code = codeOf(error);
  if (code === 'unexpected redirect') return 'The service answered with a redirect, which is not followed.';
  return code === '' ? 'The service cannot be reached.' : `The service cannot be reached (${code}).`;
}

/** What went wrong in a word, such as ECONNREFUSED: fetch's own errors may quote addresses with what was sent in them. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return '';
  const code: unknown = Reflect.get(cause, 'code');
  if (typeof code === 'string') return code;
  return cause.message === 'unexpected redirect' ? cause.message : '';
}
