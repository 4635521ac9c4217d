/** Time is injected, so that schedules, leases and expiries are tested without sleeping. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that only moves when told to. For tests. */
export class ManualClock implements Clock {
  #millis: number;

  constructor(start: Date | string = '2026-01-01T00:00:00Z') {
    this.#millis = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#millis);
  }

  advance(millis: number): void {
    this.#millis += millis;
  }
}
