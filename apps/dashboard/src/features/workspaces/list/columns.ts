import type { WorkspaceSort, WorkspaceSortKey } from '@berth/domain';

/** The columns beside the name, in the order in which they stand. */
export const COLUMN_KEYS = ['status', 'template', 'last_build', 'last_used', 'created', 'organization'] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];

export const DEFAULT_COLUMNS: readonly ColumnKey[] = ['status', 'template', 'last_build', 'last_used'];

interface ColumnLook {
  readonly label: string;
  /** Part of the table's width, beside the name's 3. */
  readonly share: number;
  /** What its heading sorts by. */
  readonly sort?: WorkspaceSortKey;
}

export const COLUMN_LOOKS: Readonly<Record<ColumnKey, ColumnLook>> = {
  status: { label: 'Status', share: 2.6, sort: 'status' },
  template: { label: 'Template', share: 2, sort: 'template' },
  last_build: { label: 'Last build', share: 2 },
  last_used: { label: 'Last used', share: 1.8, sort: 'last_used' },
  created: { label: 'Created', share: 1.6, sort: 'created' },
  organization: { label: 'Organization', share: 1.5 },
};

/** What is given up first on a narrow screen stands last. */
const WORTH: readonly ColumnKey[] = ['status', 'last_used', 'template', 'last_build', 'created', 'organization'];

/** The columns that a screen has room for, of those that were chosen. */
export function columnsThatFit(chosen: readonly ColumnKey[], room: number): readonly ColumnKey[] {
  const kept = new Set(WORTH.filter((key) => chosen.includes(key)).slice(0, room));
  return chosen.filter((key) => kept.has(key));
}

export const SORT_LABELS: Readonly<Record<WorkspaceSortKey, string>> = {
  name: 'Name',
  owner: 'Owner',
  status: 'Status',
  template: 'Template',
  last_used: 'Last used',
  created: 'Created',
};

/** Times are looked at from the latest on, everything else from its beginning. */
const LATEST_FIRST: readonly WorkspaceSortKey[] = ['last_used', 'created'];

/** The order that a heading asks for next: its own, then the other way around, then the usual one again. */
export function nextSort(key: WorkspaceSortKey, sort: WorkspaceSort | undefined): WorkspaceSort | undefined {
  const first = firstSort(key);
  if (sort === first) return first === key ? `-${key}` : key;
  return sort === key || sort === `-${key}` ? undefined : first;
}

/** How a heading sorts when it is asked to for the first time. */
export function firstSort(key: WorkspaceSortKey): WorkspaceSort {
  return LATEST_FIRST.includes(key) ? `-${key}` : key;
}
