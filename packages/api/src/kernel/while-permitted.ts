import type { ObjectRef } from '@berth/rbac';
import { canUnchecked } from '@berth/rbac';
import { authChannel } from './channels.ts';
import type { UserCall } from './procedures.ts';

/** Credentials expire and news can be lost; whoever still listens is asked again this often. */
const ASK_AGAIN_MS = 60_000;

export interface Permitted {
  readonly action: string;
  readonly object: ObjectRef;
  /** For an object whose own state (a list of people) says who may act: news of it, and how to read it again. Null: it is gone. */
  readonly again?: { readonly subscribe: (ask: () => void) => () => void; readonly read: () => Promise<ObjectRef | null> };
  /** Of the caller: aborted when they leave. */
  readonly signal: AbortSignal;
}

/**
 * A signal for a stream that was authorised when it began: it is aborted when the caller leaves, and at once when their credential or
 * their right to `action` on `object` ends. Call `release` when the stream is over.
 */
export function whilePermitted(
  { authenticate, principal, services }: Pick<UserCall, 'authenticate' | 'principal' | 'services'>,
  { action, object, again, signal }: Permitted,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const lost = new AbortController();
  const ask = (): void => {
    Promise.all([authenticate(), again === undefined ? object : again.read()]).then(
      ([now, current]) => {
        if (now.kind !== 'user' || current === null || !canUnchecked(now.subject, action, current)) lost.abort();
      },
      (error: unknown) => {
        services.log.warn({ err: error }, 'a stream ends: nobody could say whether it may go on');
        lost.abort();
      },
    );
  };
  const unsubscribe = services.bus.subscribe(authChannel, (news) => {
    if (news.user_id === principal.userId) ask();
  });
  const unsubscribeObject = again?.subscribe(ask);
  const offReconnect = services.bus.onReconnect(ask);
  const timer = setInterval(ask, ASK_AGAIN_MS);
  timer.unref();
  const release = (): void => {
    clearInterval(timer);
    unsubscribe();
    unsubscribeObject?.();
    offReconnect();
  };
  signal.addEventListener('abort', release, { once: true });
  return { signal: AbortSignal.any([signal, lost.signal]), release };
}

/** The items of a stream that is made for a signal as above, for as long as the caller may have them. */
export async function* permittedStream<T>(
  call: Pick<UserCall, 'authenticate' | 'principal' | 'services'>,
  permitted: Permitted,
  open: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const { signal, release } = whilePermitted(call, permitted);
  try {
    for await (const item of open(signal)) {
      if (signal.aborted) return;
      yield item;
    }
  } finally {
    release();
  }
}
