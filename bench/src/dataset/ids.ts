import { createHash } from 'node:crypto';

/** The id that `bench_id(kind, n)` makes in SQL. */
export function benchId(kind: string, n: number): string {
  const hex = createHash('md5').update(`${kind}${n}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The number of the build `k` (1 to 5) of workspace `w`; its agent has the same number. */
export function buildNumberOf(w: number, k: number): number {
  return w * 10 + k;
}

/** Three of five workspaces run. */
export function isRunning(w: number): boolean {
  return w % 5 < 3;
}

/** Ids come from md5, so that SQL and TypeScript agree on them and every run makes the same rows. */
export const CREATE_FUNCTIONS = `
  CREATE FUNCTION pg_temp.bench_id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5(kind || n)::uuid $$;
  CREATE FUNCTION pg_temp.pick(n bigint, salt int, choices int) RETURNS int LANGUAGE sql IMMUTABLE AS
    $$ SELECT 1 + (hashint8(n * 31 + salt) & 2147483647) % choices $$;
  CREATE FUNCTION pg_temp.runs(w bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT w % 5 < 3 $$;
  CREATE FUNCTION pg_temp.starts(w bigint, k bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE WHEN w % 5 < 3 THEN k % 2 = 1 ELSE k IN (1, 2, 4) END $$;
`;
