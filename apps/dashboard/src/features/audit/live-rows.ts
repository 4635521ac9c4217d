import type { Outputs } from '../../api/trpc.ts';
import type { AuditLog } from './audit-words.ts';

export type AuditSlice = Outputs['audit']['page'];

/** A page that grows all day would become slow. */
const ROWS_MAX = 300;

/** The rows of a newer reading that stand before those that are shown. */
export function freshRows(newest: AuditSlice, shown: readonly AuditLog[]): readonly AuditLog[] {
  const known = new Set(shown.map(({ id }) => id));
  const end = newest.audit_logs.findIndex(({ id }) => known.has(id));
  return end === -1 ? newest.audit_logs : newest.audit_logs.slice(0, end);
}

/** The page that is shown with what is new at its top. Where a reading does not reach the shown rows, it takes their place: nothing may be missing in between. */
export function withFresh(shown: AuditSlice, newest: AuditSlice): AuditSlice {
  const fresh = freshRows(newest, shown.audit_logs);
  const reaches = fresh.length < newest.audit_logs.length || shown.audit_logs.length === 0;
  if (!reaches) return newest;
  const rows = [...fresh, ...shown.audit_logs];
  const kept = rows.slice(0, ROWS_MAX);
  const last = kept.at(-1);
  return {
    audit_logs: kept,
    count: newest.count,
    next:
      kept.length < rows.length && last !== undefined
        ? `${last.time}_${last.id}`
        : shown.audit_logs.length === 0
          ? newest.next
          : shown.next,
  };
}
