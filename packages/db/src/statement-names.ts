/** Statements that were seen but not named yet; the oldest half is forgotten when it is full. */
const SEEN_MAX = 2000;
/** PostgreSQL keeps each named statement per connection, for as long as the connection lives. */
const NAMES_MAX = 500;
const SQL_LENGTH_MAX = 20_000;
const USES_BEFORE_NAME = 3;

/**
 * Names the statements that come again and again, so that PostgreSQL parses and plans them once per connection. One-off
 * statements (such as an insert of 731 rows) get the empty name, which means unnamed: memory stays bounded.
 */
export function createStatementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= NAMES_MAX || sql.length > SQL_LENGTH_MAX) return '';
    const uses = (seen.get(sql) ?? 0) + 1;
    if (uses < USES_BEFORE_NAME) {
      if (seen.size >= SEEN_MAX) forgetOldest(seen, SEEN_MAX / 2);
      seen.set(sql, uses);
      return '';
    }
    seen.delete(sql);
    const next = `berth_${names.size}`;
    names.set(sql, next);
    return next;
  };
}

function forgetOldest(seen: Map<string, number>, count: number): void {
  let left = count;
  for (const key of seen.keys()) {
    if (left-- <= 0) return;
    seen.delete(key);
  }
}
