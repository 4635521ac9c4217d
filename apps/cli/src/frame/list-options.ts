import type { Cli } from './cli.ts';
import { count, text } from './declare.ts';
import { LIMIT_MAX, LIMIT_STANDARD } from './paging.ts';

/** The options of every list. */
export const LIST_OPTIONS = {
  columns: text('-c, --columns <ids>', 'Which columns to print, separated by commas'),
  limit: count('--limit <n>', `Maximum number of rows; ${LIMIT_STANDARD} unless given`, { min: 1, max: LIMIT_MAX }),
};

/** Says that rows were left out, so that nobody takes a part for the whole. */
export function noteMore(cli: Cli, { rows, hasMore }: { readonly rows: readonly unknown[]; readonly hasMore: boolean }): void {
  if (hasMore) cli.out.note(`Only the first ${rows.length} rows. Use --limit for more.`);
}
