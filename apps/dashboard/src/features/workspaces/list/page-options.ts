import type { WorkspaceSort } from '@berth/domain';
import { trpc } from '../../../api/trpc.ts';
import { PAGE_ROWS } from './pages.ts';

/** Rows out of sight are forgotten after this long, so that a long list does not fill the memory of the browser. */
const FORGET_MS = 60_000;

/** What is listed. */
export interface Listed {
  readonly q: string;
  readonly sort: WorkspaceSort | undefined;
}

/** A page of a list, as it is asked for and kept. */
export function pageOptions({ q, sort }: Listed, page: number) {
  return trpc.workspaces.list.queryOptions(
    { q, ...(sort === undefined ? {} : { sort }), limit: PAGE_ROWS, offset: page * PAGE_ROWS },
    { gcTime: FORGET_MS, trpc: { abortOnUnmount: true } },
  );
}
