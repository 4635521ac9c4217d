import { sentenceOf } from './entries.ts';
import type { AuditEntry } from './entries.ts';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COLUMNS: readonly (readonly [title: string, value: (row: AuditEntry) => string])[] = [
  ['time', (row) => row.time],
  ['user', (row) => row.user?.username ?? ''],
  ['user_id', (row) => row.user?.id ?? ''],
  ['action', (row) => row.action],
  ['resource_type', (row) => row.resource_type],
  ['resource_target', (row) => row.resource_target],
  ['resource_id', (row) => row.resource_id],
  ['organization', (row) => row.organization?.name ?? ''],
  ['status_code', (row) => String(row.status_code)],
  ['ip', (row) => row.ip],
  ['user_agent', (row) => row.user_agent],
  ['request_id', (row) => row.request_id],
  ['description', sentenceOf],
  ['diff', (row) => JSON.stringify(row.diff)],
  ['additional_fields', (row) => JSON.stringify(row.additional_fields_decoded)],
  ['id', (row) => row.id],
];

/** What stands before the first row, if anything. */
export function headOf(format: ExportFormat): string {
  return format === 'csv' ? `${COLUMNS.map(([title]) => title).join(',')}\r\n` : '';
}

/** One row as it stands in the file. */
export function lineOf(row: AuditEntry, format: ExportFormat): string {
  switch (format) {
    case 'csv':
      return `${COLUMNS.map(([, value]) => cell(value(row))).join(',')}\r\n`;
    case 'ndjson': {
      // The same once more as bytes says nothing to anybody who reads lines.
      const { additional_fields: _, additional_fields_decoded: fields, ...others } = row;
      return `${JSON.stringify({ ...others, additional_fields: fields })}\n`;
    }
  }
}

/** RFC 4180. Text that a spreadsheet would take for a formula begins with a quote, since anybody may choose the name of a workspace. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
