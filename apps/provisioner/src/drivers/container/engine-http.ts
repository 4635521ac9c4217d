import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { EngineAddress } from './engine-address.ts';
import { connectionProblem, EngineError } from './engine-error.ts';

export interface EngineCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** A tar, in place of `json`. */
  readonly tar?: Readable;
  readonly headers?: OutgoingHttpHeaders;
  /** The work that this call is part of: aborted, the call is given up. */
  readonly signal?: AbortSignal | undefined;
  /** How long the engine may be silent. */
  readonly silenceMs?: number;
}

const SILENCE_MS = 60_000;
/** Far above every answer that is read as a whole. */
const ANSWER_BYTES = 16 * 1024 * 1024;
const Refusal = z.object({ message: z.string() });

/** One request on a connection of its own. Resolves with the answer to read; rejects with an `EngineError` or the reason of the signal. */
export async function callEngine(address: EngineAddress, call: EngineCall): Promise<IncomingMessage> {
  const { signal } = call;
  signal?.throwIfAborted();
  const query = new URLSearchParams(call.query).toString();
  const body = call.json === undefined ? undefined : JSON.stringify(call.json);
  const outgoing = request({
    ...(address.kind === 'socket' ? { socketPath: address.path } : { host: address.host, port: address.port }),
    method: call.method,
    path: `${call.path}${query === '' ? '' : `?${query}`}`,
    headers: {
      host: 'engine',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(call.tar === undefined ? {} : { 'content-type': 'application/x-tar' }),
      ...call.headers,
    },
    agent: false,
    ...(signal === undefined ? {} : { signal }),
  });
  const silenceMs = call.silenceMs ?? SILENCE_MS;
  outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error(`it said nothing for ${silenceMs / 1000} s`)));
  const answering = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  try {
    if (call.tar === undefined) outgoing.end(body);
    // An engine that refuses an archive answers before it has read all of it.
    else await Promise.race([pipeline(call.tar, outgoing), answering]).catch(() => undefined);
    const answer = await answering;
    if ((answer.statusCode ?? 500) < 400) return answer;
    throw await refusal(answer);
  } catch (error) {
    call.tar?.destroy();
    signal?.throwIfAborted();
    throw error instanceof EngineError ? error : connectionProblem(address, error);
  }
}

async function refusal(answer: IncomingMessage): Promise<EngineError> {
  const text = await readText(answer);
  const status = answer.statusCode ?? 500;
  const parsed = Refusal.safeParse(parseJson(text));
  const message = parsed.success ? parsed.data.message : text.slice(0, 1000);
  return new EngineError(message.trim() === '' ? `The engine answered ${status}.` : message.trim(), { status });
}

/** The answer, parsed. What the engine says that is not in the schema is not looked at. */
export async function readAnswer<T>(answer: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await readText(answer)));
  if (parsed.success) return parsed.data;
  const rules = parsed.error.issues.slice(0, 5).map(({ path, message }) => [path.join('.'), message].join(' ').trim());
  throw new EngineError(`The engine sent an invalid response: ${rules.join('; ')}.`, { cause: parsed.error });
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += piece.byteLength;
    if (bytes > ANSWER_BYTES) throw new EngineError(`The engine's answer is longer than ${ANSWER_BYTES / 1024 / 1024} MiB.`);
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
