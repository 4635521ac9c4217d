import type { AuditExportFormat } from '@berth/api/contract/audit';

const [LF, CR] = [10, 13];

/** About how many entries end in a part of a file: a text in CSV may have the same line ends. */
export function countEntries(part: Uint8Array, format: AuditExportFormat): number {
  let count = 0;
  for (let at = 0; at < part.length; at += 1) {
    if (format === 'ndjson' ? part[at] === LF : part[at] === CR && (at + 1 >= part.length || part[at + 1] === LF)) count += 1;
  }
  return count;
}
