/** Rows that a list prints unless `--limit` says more or fewer. */
export const LIMIT_STANDARD = 500;
export const LIMIT_MAX = 100_000;

export interface Page<T> {
  readonly rows: readonly T[];
  /** All that there are; absent where the server does not say. */
  readonly total?: number;
}

/** All pages of a list, up to `limit` rows. */
export async function allPages<T>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<Page<T>>,
  { limit = LIMIT_STANDARD, pageSize = 100 }: { readonly limit?: number | undefined; readonly pageSize?: number } = {},
): Promise<{ readonly rows: readonly T[]; readonly hasMore: boolean }> {
  const rows: T[] = [];
  for (;;) {
    const size = Math.min(pageSize, limit - rows.length);
    // One page after the other: each begins where the last one ended.
    const page = await read({ limit: size, offset: rows.length });
    rows.push(...page.rows);
    const isLast = page.rows.length < size || (page.total !== undefined && rows.length >= page.total);
    if (isLast) return { rows, hasMore: false };
    if (rows.length >= limit) return { rows, hasMore: page.total === undefined || page.total > rows.length };
  }
}

/** The same of a list that the server answers in one piece. */
export function firstRows<T>(
  all: readonly T[],
  limit: number = LIMIT_STANDARD,
): { readonly rows: readonly T[]; readonly hasMore: boolean } {
  return { rows: all.slice(0, limit), hasMore: all.length > limit };
}
