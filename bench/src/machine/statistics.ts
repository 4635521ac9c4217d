/** The value that a share of the values (0 to 1) does not exceed; NaN when there is none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Milliseconds. */
export function latencyOf(values: readonly number[]): Latency {
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
