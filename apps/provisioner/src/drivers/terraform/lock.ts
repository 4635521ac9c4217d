/** One after the other, in the order of asking. */
export class Lock {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` once everyone before has ended. Rejects without running it when `signal` is aborted while it waits. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#last = before.then(() => ended);
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      end();
    }
  }
}

async function untilAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([wait, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
