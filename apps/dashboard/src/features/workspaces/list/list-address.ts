import type { WorkspaceSort } from '@berth/domain';
import { WORKSPACE_SORTS } from '@berth/domain';
import { searchText, textParam } from '../../../ui/search-params.ts';
import type { ColumnKey } from './columns.ts';
import { COLUMN_KEYS } from './columns.ts';

/** What the address of the list says: all that a saved view brings back. */
export interface WorkspacesSearch {
  readonly q?: string;
  /** Absent: favorites first, then what runs. */
  readonly sort?: WorkspaceSort;
  /** Absent: a table. */
  readonly view?: 'cards';
  /** Keys of columns, by commas. Absent: those that were chosen in this browser. */
  readonly columns?: string;
}

/** Reads the address; what it does not know is left out. */
export function readWorkspacesSearch(search: Readonly<Record<string, unknown>>): WorkspacesSearch {
  const q = textParam(search['q']);
  const sort = WORKSPACE_SORTS.find((one) => one === search['sort']);
  const columns = columnsOf(textParam(search['columns']));
  return {
    ...(q === undefined ? {} : { q }),
    ...(sort === undefined ? {} : { sort }),
    ...(search['view'] === 'cards' ? { view: 'cards' } : {}),
    ...(columns === undefined ? {} : { columns: columns.join(',') }),
  };
}

/** The columns that a text names, in the order in which they stand; undefined when it names none. */
export function columnsOf(text: string | undefined): readonly ColumnKey[] | undefined {
  const named = (text ?? '').split(',');
  const columns = COLUMN_KEYS.filter((key) => named.includes(key));
  return columns.length === 0 ? undefined : columns;
}

/** What stands behind the `?`. */
export function addressOf(search: WorkspacesSearch): string {
  return searchText({ ...search }).replace(/^\?/, '');
}
