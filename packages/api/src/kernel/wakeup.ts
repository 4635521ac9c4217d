/** A bell that remembers one ring: a ring while nobody waits ends the next wait at once. For one waiter. */
export class Wakeup {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, after `timeoutMs`, or when `signal` is aborted; true if it rang. */
  async wait(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.#rung && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, timeoutMs);
        signal?.addEventListener('abort', done, { once: true });
        this.#wake = done;
        function done(): void {
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          resolve();
        }
      });
      this.#wake = null;
    }
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }
}
