import { benchId, buildNumberOf } from '../dataset/ids.ts';
import { benchKey } from '../dataset/key.ts';
import { percentile } from '../machine/statistics.ts';

/** One search of the audit log, and how long its first page took with the total, in milliseconds. */
interface CombinationResult {
  readonly q: string;
  readonly median: number;
  readonly slowest: number;
}

export interface CombinationsResult {
  readonly searches: number;
  /** Of all requests, in milliseconds. */
  readonly median: number;
  readonly p95: number;
  /** The searches that took longest, by their median. */
  readonly slowest: readonly CombinationResult[];
}

const TIMES = 5;
/** Of so many searches some take long by chance: the slowest are asked again, and more often. */
const ASKED_AGAIN = 20;
const TIMES_AGAIN = 20;
const SHOWN = 5;
const PAGE = 25;
const DAY_MS = 86_400_000;

const instant = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z');
const day = (daysAgo: number): string => instant(daysAgo).slice(0, 10);

/** One term per filter, and where it matters one that finds many and one that finds few. */
function filters(): readonly (readonly string[])[] {
  return [
    ['resource_type:workspace_build', 'resource_type:workspace_proxy'],
    ['action:start', 'action:delete'],
    ['username:user-7'],
    ['email:user-8@example.com'],
    ['organization:default'],
    ['build_reason:initiator', 'build_reason:dormancy'],
    ['resource_target:workspace-3'],
    [`resource_id:${benchId('build', buildNumberOf(5, 1))}`],
    [`request_id:${benchId('request', 77)}`],
    [`date_from:${day(300)}`, `date_from:"${instant(200.4)}" date_to:"${instant(3.7)}"`, `date_to:${day(100)}`],
  ];
}

/** Every filter by itself, and every two and three of them together. */
function auditSearches(): string[] {
  const all = filters();
  const searches = [''];
  const extend = (q: string, from: number, depth: number): void => {
    for (const [at, terms] of all.entries()) {
      if (at < from) continue;
      for (const term of terms) {
        const next = q === '' ? term : `${q} ${term}`;
        searches.push(next);
        if (depth > 1) extend(next, at + 1, depth - 1);
      }
    }
  };
  extend('', 0, 3);
  return searches;
}

/** Asks for the first page of each search, as the dashboard does, one after the other: what one person waits for. */
export async function measureAuditCombinations(
  serverUrl: string,
  { log }: { log: (message: string) => void },
): Promise<CombinationsResult> {
  const searches = auditSearches();
  log(`${searches.length} searches of the audit log, ${TIMES} times each`);
  const first: CombinationResult[] = [];
  const all: number[] = [];
  for (const q of searches) {
    const took = await askOften(serverUrl, q, TIMES);
    all.push(...took);
    first.push(resultOf(q, took));
  }
  const again: CombinationResult[] = [];
  for (const { q } of slowestOf(first, ASKED_AGAIN)) again.push(resultOf(q, await askOften(serverUrl, q, TIMES_AGAIN)));
  const slowest = slowestOf(again, SHOWN);
  for (const { q, median } of slowest) log(`${median.toFixed(1)} ms: ${q}`);
  return { searches: searches.length, median: percentile(all, 0.5), p95: percentile(all, 0.95), slowest };
}

function resultOf(q: string, took: readonly number[]): CombinationResult {
  return { q, median: percentile(took, 0.5), slowest: Math.max(...took) };
}

function slowestOf(results: readonly CombinationResult[], count: number): CombinationResult[] {
  return results.toSorted((a, b) => b.median - a.median).slice(0, count);
}

async function askOften(serverUrl: string, q: string, times: number): Promise<number[]> {
  // Once more than is counted: the first one fills caches.
  await ask(serverUrl, q);
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) took.push(await ask(serverUrl, q));
  return took;
}

async function ask(serverUrl: string, q: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${serverUrl}/api/rpc/audit.page?input=${encodeURIComponent(JSON.stringify({ q, limit: PAGE }))}`, {
    headers: { 'service-session-token': benchKey.token },
  });
  const text = await response.text();
  const took = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`The search "${q}" was answered with ${response.status}: ${text.slice(0, 500)}`);
  return took;
}
