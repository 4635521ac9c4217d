import type { Action, ObjectRef, Subject } from '@berth/rbac';
import { can } from '@berth/rbac';
import { authChannel } from './channels.ts';
import type { UserCall } from './procedures.ts';

/** Credentials expire and news can be lost; whoever still listens is asked again this often. */
const ASK_AGAIN_MS = 60_000;

/** No timer of Node runs longer. */
const TIMER_MS_MAX = 2_147_483_647;

/** Of somebody who was let in by a share, and not by a right of their own. */
export interface ShareTerms {
  /** When it ends, unless another share goes on. */
  readonly until: Date;
  /** Calls `ask` on news that may end it. Returns how to unsubscribe. */
  readonly subscribe: (ask: () => void) => () => void;
  /** Until when this caller is let in, as seen at an instant; null when they are not. */
  readonly read: (subject: Subject, at: Date) => Promise<Date | null>;
}

export interface Permitted {
  readonly action: Action;
  readonly object: ObjectRef;
  /** Asked in place of the action, where a share lets the caller in. */
  readonly share?: ShareTerms | undefined;
  /** For an object whose own state (a list of people) says who may act: news of it, and how to read it again. Null: it is gone. */
  readonly again?: { readonly subscribe: (ask: () => void) => () => void; readonly read: () => Promise<ObjectRef | null> };
  /** Of the caller: aborted when they leave. */
  readonly signal: AbortSignal;
}

/**
 * A signal for a stream that was authorised when it began: it is aborted when the caller leaves, and at once when their credential, their
 * right to `action` on `object`, or the share that let them in ends. Call `release` when the stream is over.
 */
export function whilePermitted(
  { authenticate, principal, services }: Pick<UserCall, 'authenticate' | 'principal' | 'services'>,
  { action, object, again, share, signal }: Permitted,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const lost = new AbortController();
  const { bus, clock, log } = services;
  let isOver = false;
  let expiry: NodeJS.Timeout | undefined;

  const mayGoOn = async (at: Date): Promise<boolean> => {
    const [now, current] = await Promise.all([authenticate(), again === undefined ? object : again.read()]);
    if (now.kind !== 'user' || current === null) return false;
    if (share === undefined) return can(now.subject, action, current);
    const until = await share.read(now.subject, at);
    if (until !== null) endAt(until);
    return until !== null;
  };
  const ask = (at = clock.now()): void => {
    mayGoOn(at).then(
      (isPermitted) => {
        if (!isPermitted) lost.abort();
      },
      (error: unknown) => {
        log.warn({ err: error }, 'a stream ends: nobody could say whether it may go on');
        lost.abort();
      },
    );
  };
  // The answer at the end is asked for that instant, so that a clock that is a little behind does not say that there is time left.
  const endAt = (until: Date): void => {
    clearTimeout(expiry);
    if (isOver) return;
    const millis = until.getTime() - clock.now().getTime();
    expiry = setTimeout(() => (millis > TIMER_MS_MAX ? endAt(until) : ask(until)), Math.min(Math.max(millis, 0), TIMER_MS_MAX));
    expiry.unref();
  };

  const subscriptions = [
    bus.subscribe(authChannel, (news) => {
      if (news.user_id === principal.userId) ask();
    }),
    bus.onReconnect(ask),
    again?.subscribe(ask),
    share?.subscribe(ask),
  ];
  if (share !== undefined) {
    endAt(share.until);
    // It may have been taken back since it was read, before anybody listened here.
    ask();
  }
  const timer = setInterval(ask, ASK_AGAIN_MS);
  timer.unref();
  const release = (): void => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(expiry);
    for (const unsubscribe of subscriptions) unsubscribe?.();
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
