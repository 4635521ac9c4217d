import type { BulkResult, Workspace, WorkspaceChange } from '@berth/api/contract/workspaces';
import { isJobActive } from '@berth/domain';
import type { BulkAction } from './bulk-words.ts';
import { BULK_WORDS } from './bulk-words.ts';

/** One workspace on its way through a bulk change. */
export interface BulkItem {
  readonly workspace: Pick<Workspace, 'id' | 'name' | 'owner_name'>;
  /** What would come of it; absent while that is worked out. */
  readonly preview?: BulkResult;
  /** Whether it was confirmed. */
  readonly isAsked: boolean;
  /** What the server answered; absent while it was not asked yet. */
  readonly result?: BulkResult;
  /** What was heard of it last: news may overtake the answer that says which build to look for. */
  readonly news?: WorkspaceChange;
  /** How its build ended, once it has; the reason is empty when it ended well. */
  readonly end?: { readonly isWell: boolean; readonly reason: string };
}

export type BulkPhase = 'checking' | 'will' | 'skipped' | 'impossible' | 'waiting' | 'under_way' | 'done' | 'failed';

/** Where a workspace is. */
export function phaseOf({ preview, isAsked, result, end }: BulkItem): BulkPhase {
  if (preview === undefined) return 'checking';
  if (!isAsked) return preview.status === 'ok' ? 'will' : preview.status === 'unchanged' ? 'skipped' : 'impossible';
  if (result === undefined) return 'waiting';
  if (result.status === 'unchanged') return 'done';
  if (result.status === 'refused') return 'failed';
  if (end === undefined) return 'under_way';
  return end.isWell ? 'done' : 'failed';
}

/** The same in words that follow the workspace's name. */
export function phaseWords(action: BulkAction, item: BulkItem): string {
  const words = BULK_WORDS[action];
  switch (phaseOf(item)) {
    case 'checking':
      return '';
    case 'will':
      return words.will;
    case 'skipped':
      return words.unchanged;
    case 'impossible':
      return item.preview?.error?.message ?? 'would be refused';
    case 'waiting':
      return 'waits for its turn';
    case 'under_way':
      return words.does;
    case 'done':
      return item.result?.status === 'unchanged' ? words.unchanged : words.did;
    case 'failed':
      return item.end?.reason ?? item.result?.error?.message ?? 'was refused';
  }
}

export function itemsOf(workspaces: readonly Workspace[]): BulkItem[] {
  return workspaces.map((workspace) => ({ workspace, isAsked: false }));
}

/** With what would come of those that were asked about. */
export function previewed(items: readonly BulkItem[], results: readonly BulkResult[]): BulkItem[] {
  const found = byId(results);
  return items.map((item) => {
    const preview = found.get(item.workspace.id);
    return preview === undefined ? item : { ...item, preview };
  });
}

/** Confirmed: what came of an earlier try is forgotten. */
export function asked(items: readonly BulkItem[], ids: readonly string[]): BulkItem[] {
  const wanted = new Set(ids);
  return items.map((item) => {
    if (!wanted.has(item.workspace.id)) return item;
    const { workspace, preview } = item;
    return { workspace, isAsked: true, ...(preview === undefined ? {} : { preview }) };
  });
}

export function answered(items: readonly BulkItem[], results: readonly BulkResult[]): BulkItem[] {
  const found = byId(results);
  return items.map((item) => {
    const result = found.get(item.workspace.id);
    return result === undefined ? item : withEnd({ ...item, result });
  });
}

/** What the server never answered about, since it could not be asked. */
export function unanswered(ids: readonly string[], message: string): BulkResult[] {
  return ids.map((id) => ({ workspace_id: id, status: 'refused', build_id: null, error: { kind: 'unavailable', message } }));
}

/** With the news about a workspace: only those of the very build that was made count. */
export function heard(items: readonly BulkItem[], news: WorkspaceChange): BulkItem[] {
  return items.map((item) => (item.isAsked && item.workspace.id === news.id ? withEnd({ ...item, news }) : item));
}

function withEnd(item: BulkItem): BulkItem {
  const end = item.result === undefined || item.news === undefined ? undefined : endOf(item.result, item.news.workspace);
  return end === undefined ? item : { ...item, end };
}

function endOf(result: BulkResult, workspace: Workspace | null): BulkItem['end'] {
  // Gone from the list of its reader: it was deleted.
  if (workspace === null) return { isWell: true, reason: '' };
  const build = workspace.latest_build;
  if (result.build_id !== build.id || isJobActive(build.job.status)) return undefined;
  if (build.job.status === 'succeeded') return { isWell: true, reason: '' };
  return { isWell: false, reason: build.job.error === '' ? `its build was ${build.job.status}` : `its build failed: ${build.job.error}` };
}

/** The ids of those in a phase. */
export function idsIn(items: readonly BulkItem[], phase: BulkPhase): string[] {
  return items.filter((item) => phaseOf(item) === phase).map(({ workspace }) => workspace.id);
}

/** How many are where, in the order of the words; empty phases are left out. */
export function summary(items: readonly BulkItem[], action: BulkAction): string {
  const counts = new Map<BulkPhase, number>();
  for (const item of items) counts.set(phaseOf(item), (counts.get(phaseOf(item)) ?? 0) + 1);
  const words: readonly (readonly [BulkPhase, string])[] = [
    ['checking', 'to be checked'],
    ['will', BULK_WORDS[action].due],
    ['waiting', 'waiting'],
    ['under_way', 'under way'],
    ['done', 'done'],
    ['failed', 'failed'],
    ['skipped', 'with nothing to do'],
    ['impossible', 'not possible'],
  ];
  return words.flatMap(([phase, word]) => (counts.has(phase) ? [`${counts.get(phase)?.toLocaleString('en')} ${word}`] : [])).join(' · ');
}

/** Pieces of at most `size`. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

function byId(results: readonly BulkResult[]): ReadonlyMap<string, BulkResult> {
  return new Map(results.map((result) => [result.workspace_id, result]));
}
