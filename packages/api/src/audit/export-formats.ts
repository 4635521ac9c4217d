import type { AuditExportFormat } from './contract.ts';
import type { ReadableAuditLog } from './presenter.ts';

/** The sentence of a row with the names in it. */
function sentenceOf({ description, user, resource_target: target }: ReadableAuditLog): string {
  const names: Readonly<Record<string, string>> = { '{user}': user?.username ?? 'somebody', '{target}': target };
  return description.replaceAll(/\{user\}|\{target\}/g, (name) => names[name] ?? name);
}

const COLUMNS: readonly (readonly [title: string, value: (row: ReadableAuditLog) => string])[] = [
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

export const MEDIA_TYPES: Readonly<Record<AuditExportFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** What stands before the first row, if anything. */
export function exportHead(format: AuditExportFormat): string {
  return format === 'csv' ? csvLine(COLUMNS.map(([title]) => title)) : '';
}

/** One row as it stands in the file. */
export function exportLine(row: ReadableAuditLog, format: AuditExportFormat): string {
  switch (format) {
    case 'csv':
      return csvLine(COLUMNS.map(([, value]) => value(row)));
    case 'ndjson': {
      const { additional_fields_decoded: fields, ...others } = row;
      return `${JSON.stringify({ ...others, additional_fields: fields })}\n`;
    }
  }
}

/** RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * What a spreadsheet takes for the start of a formula, by OWASP's page on CSV injection, with the wide forms of the signs that some of
 * them read alike. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Such text gets a quote in front, since anybody may choose the name of a workspace; separators and quotes stay in their cell. */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
