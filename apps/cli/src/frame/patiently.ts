import { setTimeout as delay } from 'node:timers/promises';
import { errorOf } from '@berth/client';
import type { ClientErrorKind } from '@berth/client';

const PASSING: readonly ClientErrorKind[] = ['network', 'unavailable', 'rate_limited'];
const TRIES_MAX = 12;
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 10_000;

export interface Patience {
  readonly signal: AbortSignal;
  /** The first pause; each one after is twice as long. */
  readonly pauseMs?: number;
}

/** Reads something again and again while the server is out of reach, for a minute and a half: a restart of it ends no watching. */
export async function patiently<T>(read: () => Promise<T>, { signal, pauseMs = PAUSE_MS }: Patience): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || tries === TRIES_MAX || !PASSING.includes(errorOf(error).kind)) throw error;
    }
    await delay(Math.min(pauseMs * 2 ** (tries - 1), PAUSE_MAX_MS), undefined, { signal });
  }
}
