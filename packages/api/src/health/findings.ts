import { tlsReason } from '@berth/core';
import type { HealthCode, HealthSeverity } from '@berth/domain';
import type { HealthMessage } from './message/contract.ts';

/** What a section found, in the form that all sections share. */
export interface Findings {
  readonly severity: HealthSeverity;
  readonly healthy: boolean;
  readonly warnings: HealthMessage[];
  readonly error: string;
}

/** Nothing is broken; warnings are worth a look. */
export function well(warnings: HealthMessage[] = []): Findings {
  return { severity: warnings.length > 0 ? 'warning' : 'ok', healthy: true, warnings, error: '' };
}

/** Something is broken. The code stands before the sentence, since the interface has no other place for it. */
export function broken(code: HealthCode, message: string, warnings: HealthMessage[] = []): Findings {
  return { severity: 'error', healthy: false, warnings, error: `${code}: ${message}` };
}

/** Why something failed, in a few words: what `fetch` throws says it in its cause only. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  return error.cause instanceof Error ? reasonOf(error.cause) : (tlsReason(error) ?? (error.message || error.name));
}

/** What `work` answers, or a failure when it takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
