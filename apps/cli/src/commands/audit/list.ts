import { auditEntries, FILTER_ARGUMENT, sentenceOf } from '../../audit/entries.ts';
import type { AuditEntry } from '../../audit/entries.ts';
import { defineCommand } from '../../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { localTime } from '../../frame/times.ts';

const STANDARD = 100;

export const listAudit = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'Search the audit log, newest first',
  args: FILTER_ARGUMENT,
  options: LIST_OPTIONS,
  fields: { q: '<filter>' },
  examples: [
    'berth audit list',
    'berth audit list action:delete resource_type:workspace',
    'berth audit list username:ada date_from:2026-11-01 --limit 1000 -o json',
  ],
  prints: true,
  async run(cli, { args, options }) {
    const limit = options.limit ?? STANDARD;
    const rows: AuditEntry[] = [];
    let hasMore = false;
    for await (const row of auditEntries(cli, args.filter)) {
      hasMore = rows.length === limit;
      if (hasMore) break;
      rows.push(row);
    }
    await cli.out.list(
      rows,
      [
        { id: 'time', title: 'Time', value: (row) => localTime(row.time) },
        { id: 'user', title: 'User', value: (row) => row.user?.username ?? '' },
        { id: 'what', title: 'What', value: sentenceOf },
        { id: 'status', title: 'Status', value: (row) => String(row.status_code) },
        { id: 'action', title: 'Action', value: (row) => row.action, isExtra: true },
        { id: 'type', title: 'Type', value: (row) => row.resource_type, isExtra: true },
        { id: 'target', title: 'Target', value: (row) => row.resource_target, isExtra: true },
        { id: 'organization', title: 'Organization', value: (row) => row.organization?.name ?? '', isExtra: true },
        { id: 'ip', title: 'Address', value: (row) => row.ip, isExtra: true },
        { id: 'changes', title: 'Changes', value: (row) => Object.keys(row.diff).join(', '), isExtra: true },
        { id: 'id', title: 'Id', value: (row) => row.id, isExtra: true },
      ],
      { columns: options.columns, empty: 'No rows match, or you may not read the audit log.' },
    );
    noteMore(cli, { rows, hasMore });
  },
});
