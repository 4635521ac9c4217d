import { AUDIT_FIELDS } from './audit-fields.ts';
import type { AuditResourceType } from './enums.ts';

export interface AuditChange {
  readonly old: unknown;
  readonly new: unknown;
  /** True for secret fields: `old` and `new` are then empty. */
  readonly secret: boolean;
}

export type AuditDiff = Readonly<Record<string, AuditChange>>;

/**
 * The changed tracked fields between two states of a resource, by their wire names. What did not exist is the empty object.
 * Null, absent and zero values are the same, so that creating something lists only what was really set; the values of secret
 * fields never leave this function. Dates become ISO strings.
 */
export function auditDiff(
  resourceType: AuditResourceType,
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>> | null,
): AuditDiff {
  const diff: Record<string, AuditChange> = {};
  for (const [field, tracking] of Object.entries(AUDIT_FIELDS[resourceType])) {
    const was = plainValue(before?.[field]);
    const is = plainValue(after?.[field]);
    if ((isZero(was) && isZero(is)) || canonical(was) === canonical(is)) continue;
    diff[field] =
      tracking === 'secret'
        ? { old: zeroLike(was ?? is), new: zeroLike(is ?? was), secret: true }
        : { old: was ?? zeroLike(is), new: is ?? zeroLike(was), secret: false };
  }
  return diff;
}

function plainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainValue(item)]));
  return value;
}

function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function zeroLike(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : null;
}

/** JSON with sorted keys, so that two equal objects have one text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
