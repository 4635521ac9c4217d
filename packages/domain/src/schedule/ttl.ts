const MINUTE_MS = 60_000;
export const WORKSPACE_TTL_MIN_MS = MINUTE_MS;
export const WORKSPACE_TTL_MAX_MS = 30 * 24 * 60 * MINUTE_MS;

/** Why a time to live is refused, or null. Null and 0 mean "none" and are fine. */
export function ttlProblem(ttlMs: number | null): string | null {
  if (ttlMs === null || ttlMs === 0) return null;
  if (!Number.isSafeInteger(ttlMs)) return 'Must be a whole number of milliseconds.';
  if (ttlMs < WORKSPACE_TTL_MIN_MS) return 'Must be at least one minute.';
  if (ttlMs > WORKSPACE_TTL_MAX_MS) return 'Must be at most 30 days (2592000000 milliseconds).';
  return null;
}

/** The time to live that is stored for a new workspace: what was asked for in whole minutes, else the template's; null is none. */
export function initialTtlMs(requestedMs: number | null, templateDefaultMs: number | null): number | null {
  if (requestedMs !== null && requestedMs !== 0) return requestedMs - (requestedMs % MINUTE_MS);
  return templateDefaultMs !== null && templateDefaultMs > 0 ? templateDefaultMs : null;
}

export interface TtlFacts {
  /** The workspace's own; null or 0 is none. */
  readonly ttlMs: number | null;
  readonly templateDefaultTtlMs: number | null;
  /** False where the template decides alone. */
  readonly allowUserAutostop: boolean;
}

/** The time to live that counts for a workspace; null is none. */
export function effectiveTtlMs(facts: TtlFacts): number | null {
  const ttlMs = facts.allowUserAutostop ? facts.ttlMs : facts.templateDefaultTtlMs;
  return ttlMs !== null && ttlMs > 0 ? ttlMs : null;
}
