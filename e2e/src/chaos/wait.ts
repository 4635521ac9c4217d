import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until the answer is something; undefined when the time is over. A question that fails is asked again. */
export async function eventually<T>(timeoutMs: number, ask: () => Promise<T | undefined>, everyMs = 250): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) return undefined;
    await sleep(everyMs);
  }
}
