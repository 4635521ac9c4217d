import type { ClientError } from '@berth/client';

/** What an answer to "was the code entered?" means for whoever waits. */
export type PollResult =
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'stop'; readonly reason: 'expired' | 'denied' }
  | { readonly kind: 'fail' };

/** What RFC 8628 has a client add when it asked too often, in seconds. */
const SLOW_DOWN_SECONDS = 5;

/** Reads a refusal by the service's own code; `seconds` is how long was waited before. A connection that breaks is tried again. */
export function readPoll({ kind, detail }: Pick<ClientError, 'kind' | 'detail'>, seconds: number): PollResult {
  if (kind === 'network' || kind === 'unavailable') return { kind: 'wait', seconds };
  switch (detail) {
    case 'authorization_pending':
      return { kind: 'wait', seconds };
    case 'slow_down':
      return { kind: 'wait', seconds: seconds + SLOW_DOWN_SECONDS };
    case 'expired_token':
      return { kind: 'stop', reason: 'expired' };
    case 'access_denied':
      return { kind: 'stop', reason: 'denied' };
    default:
      return { kind: 'fail' };
  }
}

/** "4:09" of the seconds that are left. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
