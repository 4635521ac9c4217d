export interface DormancyFacts {
  readonly lastUsedAt: Date;
  /** Null while it is not dormant. */
  readonly dormantAt: Date | null;
  /** The template's; 0 is never. */
  readonly timeTilDormantMs: number;
}

/** When a workspace that nobody uses becomes dormant; null is never, also for one that is dormant already. */
export function dormantAt({ lastUsedAt, dormantAt: since, timeTilDormantMs }: DormancyFacts): Date | null {
  if (since !== null || timeTilDormantMs <= 0) return null;
  return new Date(lastUsedAt.getTime() + timeTilDormantMs);
}

/** When a workspace that is dormant since `since` is deleted; null is never. */
export function deletingAt({ since, autodeleteMs }: { readonly since: Date | null; readonly autodeleteMs: number }): Date | null {
  if (since === null || autodeleteMs <= 0) return null;
  return new Date(since.getTime() + autodeleteMs);
}
