import type { Backoff } from '@berth/client';
import { backoff, errorOf } from '@berth/client';

/** Answers of a proxy in front of a server that is down or starting. */
const GATEWAY_STATUSES: readonly unknown[] = [502, 503, 504];

/** Whether a call got no answer from Berth: the connection failed, or a proxy answered in its place. A refusal by Berth is an answer. */
export function isUnreachable(error: unknown): boolean {
  if (errorOf(error).kind !== 'network') return false;
  const status = statusOf(error);
  return status === undefined || GATEWAY_STATUSES.includes(status);
}

/** The status of the HTTP response that a call of the typed client got, if any. */
function statusOf(error: unknown): unknown {
  const response = property(property(error, 'meta'), 'response');
  return property(response, 'status');
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** How long to wait between two attempts to reach the server. One for each call, since each counts its own failures. */
export function retryDelays(): Backoff {
  return backoff({ minMs: 400, maxMs: 8000 });
}

type Listener = () => void;

/** Which calls are waiting for a server that does not answer. */
class Reachability {
  readonly #waiting = new Set<object>();
  readonly #listeners = new Set<Listener>();

  get isUnreachable(): boolean {
    return this.#waiting.size > 0;
  }

  /** A call got no answer and will be repeated. */
  waits(call: object): void {
    this.#change(() => this.#waiting.add(call));
  }

  /** The call got an answer or was given up. */
  ends(call: object): void {
    this.#change(() => this.#waiting.delete(call));
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #change(change: () => void): void {
    const before = this.isUnreachable;
    change();
    if (before !== this.isUnreachable) for (const listener of this.#listeners) listener();
  }
}

export const reachability = new Reachability();

/** Loads a part of the app; while the server cannot be reached, tries again until it can. */
export async function whenReachable<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    // The part is missing, or nothing answers.
    await untilAnswers();
    return await load();
  }
}

const PROBE_TIMEOUT_MS = 10_000;

async function untilAnswers(): Promise<void> {
  const call = {};
  const delays = retryDelays();
  try {
    while (!(await answers())) {
      reachability.waits(call);
      await new Promise((resolve) => {
        setTimeout(resolve, delays.next());
      });
    }
  } finally {
    reachability.ends(call);
  }
}

async function answers(): Promise<boolean> {
  const response = await fetch('/api/v2/buildinfo', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(
    () => undefined,
  );
  return response?.ok === true;
}
