import type { AppRouter } from '@berth/api';
import type { TRPCLink } from '@trpc/client';
import type { Unsubscribable } from '@trpc/server/observable';
import { observable } from '@trpc/server/observable';
import { isUnreachable, reachability, retryDelays } from './reachability.ts';

/**
 * Repeats a query that got no answer until it gets one or nobody waits for it, so that what is opened while the server restarts loads when
 * the server is back. Mutations fail at once: one without an answer may have been carried out.
 */
export const retryUnanswered: TRPCLink<AppRouter> = () => (call) => {
  if (call.op.type !== 'query') return call.next(call.op);
  return observable((observer) => {
    const delays = retryDelays();
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let attempt: Unsubscribable | undefined;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      reachability.ends(call);
    };
    const dial = (): void => {
      attempt = call.next(call.op).subscribe({
        next: (value) => {
          reachability.ends(call);
          observer.next(value);
        },
        error: (error) => {
          if (isOver) return;
          if (call.op.signal?.aborted === true || !isUnreachable(error)) {
            end();
            observer.error(error);
            return;
          }
          reachability.waits(call);
          timer = setTimeout(dial, delays.next());
        },
        complete: () => {
          end();
          observer.complete();
        },
      });
    };
    dial();
    return () => {
      end();
      attempt?.unsubscribe();
    };
  });
};
