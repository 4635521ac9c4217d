import type { Services } from './context.ts';
import { Wakeup } from './wakeup.ts';

export interface LoopOptions {
  /** Names the loop in log lines and metrics. */
  readonly name: string;
  /** The longest pause between two turns. */
  readonly everyMs: number;
  /** One turn; true asks for another at once, since there is more to do. */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
  /** Registers what wakes the loop before its pause is over; returns how to unregister. */
  readonly wakeOn?: (wake: () => void) => () => void;
}

export interface Loop {
  /** Lets the running turn end, then stops. */
  stop(): Promise<void>;
}

/** A turn that fails is tried again after this at least, so that a lasting fault does not spin. */
const AFTER_FAILURE_MS = 5_000;

/** Runs `turn` again and again until stopped. A failure is logged and counted, and never ends the loop. */
export function startLoop(services: Services, { name, everyMs, turn, wakeOn }: LoopOptions): Loop {
  const stopping = new AbortController();
  const wakeup = new Wakeup();
  const unregister = wakeOn?.(() => wakeup.ring());
  const isStopping = (): boolean => stopping.signal.aborted;
  const run = async (): Promise<void> => {
    while (!isStopping()) {
      const startedAt = performance.now();
      let isOk = true;
      let hasMore = false;
      try {
        hasMore = await turn(stopping.signal);
      } catch (error) {
        isOk = false;
        if (!isStopping()) services.log.error({ err: error, loop: name }, 'a background loop failed; it will try again');
      }
      services.metrics.loopTurn(name, (performance.now() - startedAt) / 1000, isOk);
      if (isStopping()) break;
      if (!isOk) await new Wakeup().wait(AFTER_FAILURE_MS, stopping.signal);
      else if (!hasMore) await wakeup.wait(everyMs, stopping.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      unregister?.();
      await running;
    },
  };
}
