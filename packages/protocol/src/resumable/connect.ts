import type { Duplex } from 'node:stream';

import { DomainError } from '@berth/core';

import { TunnelError } from '../tunnel/errors.ts';
import { ResumableStream } from './stream.ts';

const DIAL_TIMEOUT_MS = 20_000;
const DELAY_MIN_MS = 50;
const DELAY_MAX_MS = 2000;
const DELAY_GROWTH = 1.5;

export type ResumableState =
  | { readonly kind: 'open' }
  /** Dials, or waits to dial again. `error` is why there is no carrier; undefined at the first. */
  | { readonly kind: 'dialling'; readonly attempt: number; readonly error: Error | undefined };

export interface ConnectResumableOptions {
  /**
   * Makes a carrier; `signal` aborts when it is not wanted any more. Every carrier must lead to the same host under the same stream name.
   * A rejection with a `DomainError` is final, unless its kind is `unavailable`, `not_ready` or `rate_limited`; any other is tried again.
   */
  readonly dial: (signal: AbortSignal) => Promise<Duplex>;
  /** Milliseconds without a carrier after which the stream is destroyed. */
  readonly giveUpAfterMs: number;
  readonly onState?: (state: ResumableState) => void;
  /** Milliseconds between pings of the carrier. Default 5 s. */
  readonly pingIntervalMs?: number;
  /** Milliseconds of silence after which a carrier counts as dead. Default 15 s. */
  readonly deadAfterMs?: number;
}

/** The client's end of a resumable stream: writable at once; dials until there is a carrier and again whenever it is gone. */
export function connectResumable(options: ConnectResumableOptions): ResumableStream {
  const { giveUpAfterMs, pingIntervalMs = 5000, deadAfterMs = 15_000 } = options;
  const stream = new ResumableStream({ patienceMs: giveUpAfterMs, lostMessage: 'The connection could not be made again in time.' });
  const pings = setInterval(() => stream.checkCarrier(deadAfterMs), pingIntervalMs);
  stream.once('close', () => clearInterval(pings));
  void keepCarried(stream, options);
  return stream;
}

async function keepCarried(stream: ResumableStream, { dial, onState }: ConnectResumableOptions): Promise<void> {
  const gone = new AbortController();
  stream.once('close', () => gone.abort());
  stream.on('carried', () => onState?.({ kind: 'open' }));
  let error: Error | undefined;
  let failures = 0;
  for (let attempt = 1; !stream.destroyed; attempt += 1) {
    if (failures > 0) await pause(delayMs(failures), gone.signal);
    if (stream.destroyed) return;
    onState?.({ kind: 'dialling', attempt, error });
    try {
      const { wasOpen, reason } = await stream.carry(await dialOnce(dial, gone.signal), attempt);
      failures = wasOpen ? 0 : failures + 1;
      error = reason ?? new TunnelError('closed', 'The carrier ended.');
    } catch (caught) {
      failures += 1;
      error = caught instanceof Error ? caught : new TunnelError('closed', 'No carrier could be dialled.', caught);
      if (isFinal(error)) stream.destroy(error);
      else stream.noteFailure(error);
    }
  }
}

/** One try, 20 s at most. A carrier that comes too late is closed. */
async function dialOnce(dial: ConnectResumableOptions['dial'], gone: AbortSignal): Promise<Duplex> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new TunnelError('timeout', `No answer within ${DIAL_TIMEOUT_MS} ms.`)), DIAL_TIMEOUT_MS);
  const signal = AbortSignal.any([gone, late.signal]);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const dialled = dial(signal);
  dialled.then(
    (carrier) => {
      if (!signal.aborted) return;
      carrier.on('error', () => undefined);
      carrier.destroy();
    },
    () => undefined,
  );
  try {
    return await Promise.race([dialled, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function isFinal(error: Error): boolean {
  return error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'not_ready' && error.kind !== 'rate_limited';
}

/** Half of it is chance, so that many clients do not come back at once. */
function delayMs(failures: number): number {
  const full = Math.min(DELAY_MAX_MS, DELAY_MIN_MS * DELAY_GROWTH ** Math.min(failures, 50));
  return full / 2 + (Math.random() * full) / 2;
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
