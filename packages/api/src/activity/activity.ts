import type { Clock } from '@berth/core';
import type { UsageAppName } from '@berth/domain';

const MINUTE_MS = 60_000;
/** What one server keeps until it is written; more is dropped, since use that goes on is noted again a minute later. */
const PENDING_MAX = 50_000;

/** What somebody uses a workspace by: an editor or a shell, an app by its slug, or empty where that is not known. */
export type UsedApp = UsageAppName | `app:${string}` | '';

/** Somebody uses a workspace. */
export interface Use {
  readonly workspaceId: string;
  readonly userId: string;
  readonly app: UsedApp;
}

/** A use in the minute that begins at `minute`. */
export interface MinuteOfUse extends Use {
  readonly minute: Date;
}

/**
 * Keeps in memory which workspaces are used, by whom and by what, once for each minute: so noting a use costs nothing, however often it
 * is noted, and `flushActivity` writes what many requests noted by a few statements.
 */
export class Activity {
  readonly #clock: Clock;
  #pending = new Map<string, MinuteOfUse>();
  /** What was taken of the current minute: not to be noted again. */
  #taken = new Set<string>();
  #minute = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a workspace is in use now. */
  note(use: Use): void {
    const minute = Math.floor(this.#clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#taken.clear();
    }
    const key = `${minute} ${use.workspaceId} ${use.userId} ${use.app}`;
    if (this.#taken.has(key) || this.#pending.has(key) || this.#pending.size >= PENDING_MAX) return;
    this.#pending.set(key, { ...use, minute: new Date(minute) });
  }

  /** Hands out what was noted and not handed out before, oldest first, at most `count`. What cannot be written is given `back`. */
  take(count: number): { readonly uses: readonly MinuteOfUse[]; readonly back: () => void } {
    const taken = [...this.#pending].slice(0, count);
    for (const [key, { minute }] of taken) {
      this.#pending.delete(key);
      if (minute.getTime() === this.#minute) this.#taken.add(key);
    }
    const back = (): void => {
      this.#pending = new Map([...taken, ...this.#pending]);
      for (const [key] of taken) this.#taken.delete(key);
    };
    return { uses: taken.map(([, use]) => use), back };
  }
}
