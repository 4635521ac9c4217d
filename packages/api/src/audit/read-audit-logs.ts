import { invalidField } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { AuditLogPage, AuditLogSlice, ListAuditLogs, PageAuditLogs } from './contract.ts';
import type { AuditFilter } from './filter.ts';
import { readAuditFilter } from './filter.ts';
import type { AuditCursor, AuditWindow } from './page-sql.ts';
import { auditPageSql } from './page-sql.ts';
import { presentAuditRows } from './presenter.ts';
import type { AuditJsonPage } from './rows-sql.ts';
import { auditRowsSql } from './rows-sql.ts';

/** A page by number, newest first, with the total. Empty for callers who may read no audit log. */
export async function listAuditLogs(call: UserCall, input: z.output<typeof ListAuditLogs>): Promise<AuditLogPage> {
  const filter = await readAuditFilter(call, input.q);
  if (filter === null) return { audit_logs: [], count: 0 };
  const { count, rows, people } = await readPage(call, filter, { limit: input.limit, offset: input.offset, after: null });
  return { audit_logs: presentAuditRows(rows, people), count };
}

/** The rows after a cursor, newest first, with the total and the cursor of the next page. As quick at the end as at the beginning. */
export async function pageAuditLogs(call: UserCall, input: z.output<typeof PageAuditLogs>): Promise<AuditLogSlice> {
  const filter = await readAuditFilter(call, input.q);
  if (filter === null) return { audit_logs: [], count: 0, next: null };
  const after = input.before === undefined ? null : readCursor(input.before);
  const { count, rows, people } = await readPage(call, filter, { limit: input.limit + 1, offset: 0, after });
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  return {
    audit_logs: presentAuditRows(shown, people),
    count,
    next: rows.length > shown.length && last !== undefined ? `${last.time}_${last.id}` : null,
  };
}

async function readPage(call: UserCall, filter: AuditFilter, window: AuditWindow): Promise<AuditJsonPage> {
  const [page] = await call.db.$queryRaw<AuditJsonPage[]>(auditRowsSql(auditPageSql(filter, window)));
  return page ?? { count: 0, rows: [], people: [] };
}

const CURSOR = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function readCursor(text: string): AuditCursor {
  const [, time = '', id = ''] = CURSOR.exec(text) ?? [];
  if (time === '' || Number.isNaN(Date.parse(time))) throw invalidField('before', 'Is not a cursor that an earlier page gave.');
  return { time, id };
}
