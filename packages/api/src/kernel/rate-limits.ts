import { DomainError } from '@berth/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** A limit of `points` per minute and caller, counted in this process. */
export interface RateLimit {
  /** Counts one attempt of `caller`; throws `rate_limited` beyond the limit. */
  consume(caller: string): Promise<void>;
}

/** Attempts to guess a password, per address and minute. */
export const LOGIN_LIMIT_PER_MINUTE = 60;

/** Reports of browsers that tell of something they refused, per address and minute. */
export const REPORT_LIMIT_PER_MINUTE = 60;

/** A limit of zero or less never refuses. */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute <= 0) return { consume: () => Promise.resolve() };
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return {
    async consume(caller) {
      try {
        await limiter.consume(caller);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const seconds = Math.ceil(refusal.msBeforeNext / 1000);
        throw new DomainError('rate_limited', `Too many attempts: at most ${perMinute} a minute. Try again in ${seconds} s.`);
      }
    },
  };
}
