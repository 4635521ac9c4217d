/** What somebody holds as long as something lasts, such as sockets during a connection. */
export interface Holdings {
  readonly size: number;
  /** Keeps `release` for the end, or calls it at once when the end has come. The function that it answers takes it back. */
  add(release: () => void): () => void;
  /** The end: releases everything, once. */
  releaseAll(): void;
}

export function openHoldings(): Holdings {
  const held = new Set<() => void>();
  let hasEnded = false;
  return {
    get size() {
      return held.size;
    },
    add: (release) => {
      if (hasEnded) release();
      else held.add(release);
      return () => held.delete(release);
    },
    releaseAll: () => {
      hasEnded = true;
      for (const release of held) {
        held.delete(release);
        release();
      }
    },
  };
}
