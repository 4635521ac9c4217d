import { DomainError, newId } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { z } from 'zod';
import { writeAuditRow } from '../kernel/audit.ts';
import type { Services } from '../kernel/context.ts';
import { reportOf } from '../kernel/errors.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { whilePermitted } from '../kernel/while-permitted.ts';
import type { AuditExportFormat, ExportAuditLogs } from './contract.ts';
import { exportHead, exportLine, MEDIA_TYPES } from './export-formats.ts';
import type { AuditFilter } from './filter.ts';
import { filterSql, readAuditFilter } from './filter.ts';
import { auditPageSql } from './page-sql.ts';
import { presentReadableRows } from './presenter.ts';
import type { AuditJsonPage } from './rows-sql.ts';
import { auditRowsSql } from './rows-sql.ts';

/** Each holds one of the server's connections to the database. */
const AT_ONCE = 2;
const TIME_MAX_MS = 30 * 60_000;
const FETCHED_ROWS = 500;
/** Of what PostgreSQL stores for a row, which is compressed. A batch has more only when a single row has. */
const BATCH_BYTES = 512 * 1024;
/** Nobody waited for the end: as servers write it into their logs. */
const BROKEN_OFF = 499;

/** Where an export goes. */
interface AuditExportSink {
  /** Called once, before the first `write` and after the export was recorded; never when it is refused. */
  readonly begin: (facts: { readonly fileName: string; readonly mediaType: string; readonly rows: number }) => void;
  /** Resolves when there is room for more, and rejects when nobody takes it any more. */
  readonly write: (text: string) => Promise<void>;
  /** Aborted when nobody takes it any more. */
  readonly signal: AbortSignal;
}

interface Progress {
  /** Null until what is exported is known. */
  rows: number | null;
  written: number;
}

/**
 * Writes every row that the search finds and the caller may read, newest first, of one instant. The export is recorded before its first
 * byte leaves, with its number of rows; one that is refused or does not come to its end is recorded with the reason and how far it came.
 * Holds a batch of rows at a time, however many there are.
 */
export async function exportAuditLogs(call: UserCall, input: z.output<typeof ExportAuditLogs>, sink: AuditExportSink): Promise<void> {
  const { clock } = call.services;
  const fileName = `audit-${clock.now().toISOString().slice(0, 19).replaceAll(':', '-')}Z.${input.format}`;
  const record = recorder(call, { ...input, fileName });
  const progress: Progress = { rows: null, written: 0 };
  let release: (() => void) | undefined;
  const object = { type: 'audit_log', anyOrganization: true } as const;
  const permitted = whilePermitted(call, { action: 'read', object, signal: sink.signal });
  try {
    call.authorize.require(object, { sitewide: true });
    release = takePlace(call.services);
    const filter = await readAuditFilter(call, input.q);
    if (filter === null) {
      await record.done(0, null);
      sink.begin({ fileName, mediaType: MEDIA_TYPES[input.format], rows: 0 });
      await sink.write(exportHead(input.format));
      return;
    }
    await call.services.prisma.$transaction(
      async (db) => {
        progress.rows = await openCursor(db, filter);
        await record.done(progress.rows, filter);
        sink.begin({ fileName, mediaType: MEDIA_TYPES[input.format], rows: progress.rows });
        await sink.write(exportHead(input.format));
        await copyRows(db, { format: input.format, progress, write: sink.write, signal: permitted.signal });
      },
      { isolationLevel: 'RepeatableRead', maxWait: 10_000, timeout: TIME_MAX_MS },
    );
  } catch (error) {
    await record.failed(error, { progress, isLeft: sink.signal.aborted });
    throw error;
  } finally {
    permitted.release();
    release?.();
  }
}

/** Begins to read; answers how many rows there are. */
async function openCursor(db: Tx, filter: AuditFilter): Promise<number> {
  await db.$executeRaw`SET TRANSACTION READ ONLY`;
  // A slow reader may take its time between two batches; one that stands still is the sink's to end.
  await db.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = '3min'`;
  await db.$executeRaw`
    DECLARE audit_export NO SCROLL CURSOR FOR
    SELECT a.id, pg_column_size(a.diff) + pg_column_size(a.additional_fields) AS bytes
    FROM audit_logs a WHERE ${filterSql(filter)} ORDER BY a.time DESC, a.id DESC`;
  const [page] = await db.$queryRaw<{ count: number }[]>(auditPageSql(filter, { limit: 0, offset: 0, after: null }));
  return page?.count ?? 0;
}

interface Copying {
  readonly format: AuditExportFormat;
  readonly progress: Progress;
  readonly write: AuditExportSink['write'];
  readonly signal: AbortSignal;
}

async function copyRows(db: Tx, { format, progress, write, signal }: Copying): Promise<void> {
  for (;;) {
    const found = await db.$queryRaw<{ id: string; bytes: number }[]>(Prisma.raw(`FETCH ${FETCHED_ROWS} FROM audit_export`));
    for (const ids of batches(found)) {
      if (signal.aborted) throw new DomainError('forbidden', 'Nobody may or wants to read on.');
      const [page] = await db.$queryRaw<AuditJsonPage[]>(auditRowsSql(Prisma.sql`SELECT 0 AS count, ${ids}::uuid[] AS ids`));
      const rows = presentReadableRows(page?.rows ?? [], page?.people ?? []);
      await write(rows.map((row) => exportLine(row, format)).join(''));
      progress.written += rows.length;
    }
    if (found.length < FETCHED_ROWS) return;
  }
}

function batches(rows: readonly { readonly id: string; readonly bytes: number }[]): string[][] {
  const made: string[][] = [];
  let room = 0;
  for (const { id, bytes } of rows) {
    room -= bytes;
    const batch = made.at(-1);
    if (batch !== undefined && room >= 0) {
      batch.push(id);
      continue;
    }
    made.push([id]);
    room = BATCH_BYTES - bytes;
  }
  return made;
}

const running = new WeakMap<Services, number>();

/** A place among the exports of this server; answers how to give it back. */
function takePlace(services: Services): () => void {
  const now = running.get(services) ?? 0;
  if (now >= AT_ONCE) {
    throw new DomainError('rate_limited', `This server makes ${AT_ONCE} exports of the audit log at a time. Try again when one has ended.`);
  }
  running.set(services, now + 1);
  return () => void running.set(services, (running.get(services) ?? 1) - 1);
}

interface Recorder {
  readonly done: (rows: number, filter: AuditFilter | null) => Promise<void>;
  readonly failed: (error: unknown, facts: { progress: Progress; isLeft: boolean }) => Promise<void>;
}

/** Writes outside of the export's own transaction, which only reads. */
function recorder(call: UserCall, { q, format, fileName }: { q?: string | undefined; format: string; fileName: string }): Recorder {
  const { prisma, log } = call.services;
  const search = q ?? '';
  const resourceId = newId();
  let organizationId: string | null = null;
  const row = (statusCode: number) => ({
    resource: 'audit_export' as const,
    action: 'create' as const,
    resourceId,
    target: fileName,
    organizationId,
    userId: call.principal.userId,
    statusCode,
    request: call.request,
  });
  return {
    done: async (rows, filter) => {
      const [only, ...others] = filter?.organizationIds ?? [];
      organizationId = only !== undefined && others.length === 0 ? only : null;
      await writeAuditRow(prisma, { ...row(200), after: { format, search, rows } });
    },
    failed: async (error, { progress, isLeft }) => {
      const report = reportOf(error);
      if (report.kind === 'invalid') return;
      const isBegun = progress.rows !== null;
      const status = isLeft ? BROKEN_OFF : report.status;
      const reason = isLeft ? 'The reader went away.' : report.message;
      const facts = { format, search, reason, ...(isBegun ? { rows: progress.rows, rows_written: progress.written } : {}) };
      await writeAuditRow(prisma, { ...row(status), additionalFields: facts }).catch((cause: unknown) => {
        log.error(
          { err: cause, ...facts, request_id: call.request.requestId },
          'an export of the audit log that failed could not be recorded',
        );
      });
    },
  };
}
