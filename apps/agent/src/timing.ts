/** Waits; ends early, without an error, when the signal fires. */
export function pause(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}

/** The promise's value, or undefined when it takes longer. */
export async function within<T>(millis: number, promise: Promise<T>): Promise<T | undefined> {
  const limit = new AbortController();
  try {
    return await Promise.race([promise, pause(millis, limit.signal).then(() => undefined)]);
  } finally {
    limit.abort();
  }
}

export function now(): string {
  return new Date().toISOString();
}
