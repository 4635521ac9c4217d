import { pageLimit, pageOffset, queryInt, timestamp, uuid } from '@berth/core';
import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { MinimalOrganization } from '../organizations/contract.ts';
import { User } from '../users/contract.ts';

const AUDIT_EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type AuditExportFormat = (typeof AUDIT_EXPORT_FORMATS)[number];
export const AUDIT_PAGE_DEFAULT = 100;
export const AUDIT_PAGE_MAX = 1000;

/** Bytes as JSON numbers. A schema for each of thousands of numbers costs more than all else of a page, so a loop checks them. */
function byteArray(description: string) {
  const schema = z.custom<number[]>(isByteArray, 'must be an array of bytes');
  schema._zod.toJSONSchema = () => ({ type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 }, description });
  return schema;
}

function isByteArray(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (const byte of value) if (!Number.isInteger(byte) || byte < 0 || byte > 255) return false;
  return true;
}

export const AuditDiff = z
  .record(
    z.string(),
    z.object({ old: z.unknown(), new: z.unknown(), secret: z.boolean() }).meta({
      id: 'AuditDiffField',
      description: 'The value before and after; both are empty for a secret.',
    }),
  )
  .meta({
    id: 'AuditDiff',
    description: 'The tracked fields that changed; empty for a refused attempt.',
  });

export const AuditLog = z
  .object({
    id: uuid(),
    time: timestamp(),
    action: z.enum(AUDIT_ACTIONS).meta({ id: 'AuditAction' }),
    resource_type: z.enum(AUDIT_RESOURCE_TYPES).meta({ id: 'ResourceType' }),
    resource_id: uuid(),
    resource_target: z.string().meta({ description: 'The name of the resource at that time.' }),
    resource_icon: z.string(),
    resource_link: z.string().meta({
      description: 'A path of the dashboard; empty where there is none or the resource is gone.',
    }),
    description: z.string().meta({ description: 'A sentence in which `{user}` and `{target}` stand for names.' }),
    diff: AuditDiff,
    additional_fields: byteArray('The UTF-8 bytes of a JSON object.'),
    additional_fields_decoded: z.record(z.string(), z.unknown()).meta({ description: 'The same object, readable.' }),
    ip: z.string(),
    user_agent: z.string(),
    request_id: uuid(),
    status_code: z.int(),
    is_deleted: z.boolean().meta({ description: 'Whether the resource no longer exists.' }),
    organization_id: uuid().meta({
      description: 'Deprecated: use `organization.id`. The zero UUID for site-wide things.',
    }),
    organization: MinimalOrganization.nullable(),
    user: User.nullable().meta({
      description: 'Who did it; null when the account is not known any more.',
    }),
  })
  .meta({ id: 'AuditLog', description: 'One recorded action.' });
export type AuditLog = z.output<typeof AuditLog>;

const SearchText = z.string().max(1000).optional().meta({
  description:
    'Terms joined by spaces, all of which must hold: a resource type, or `resource_type:`, `resource_id:`, `resource_target:`, `action:`, `username:` (or `me`), `email:`, `date_from:`, `date_to:` (a day YYYY-MM-DD in UTC, or an instant in quotation marks, which `date_to` leaves out), `build_reason:`, `organization:`, `request_id:`, `id:`.',
});

export const ListAuditLogs = z.object({
  q: SearchText,
  limit: pageLimit(AUDIT_PAGE_DEFAULT, AUDIT_PAGE_MAX),
  offset: pageOffset(),
});

export const AuditLogPage = z
  .object({
    audit_logs: z.array(AuditLog),
    count: z.int().meta({ description: 'All rows that match, on whatever page.' }),
  })
  .meta({ id: 'AuditLogResponse' });
export type AuditLogPage = z.output<typeof AuditLogPage>;

/** Paging by cursor, for the dashboard: the time it takes does not grow with the depth. */
export const PageAuditLogs = z.object({
  q: SearchText,
  limit: queryInt(1, 100).optional().default(25),
  before: z.string().max(100).optional().meta({
    description: 'A `next` cursor: only rows after that one in the list, which are older.',
  }),
});

export const AuditLogSlice = z.object({
  audit_logs: z.array(AuditLog),
  count: z.int(),
  next: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last one.' }),
});
export type AuditLogSlice = z.output<typeof AuditLogSlice>;

/** The query of an export: the very same search as a list's. */
export const ExportAuditLogs = z.object({
  q: SearchText,
  format: z.enum(AUDIT_EXPORT_FORMATS).optional().default('ndjson'),
});

export const AuditChainStatus = z
  .object({
    sealed: z.int().meta({ description: 'Rows that are links of the chain: none of them can be changed or taken away unnoticed.' }),
    sealed_at: timestamp().nullable().meta({ description: 'When the newest link was made; null when there is none.' }),
    last_sealed_id: uuid().nullable().meta({ description: 'The row of the newest link.' }),
    last_sealed_time: timestamp()
      .nullable()
      .meta({ description: 'When that row was written; null when there is none, or the row is gone.' }),
    head: z.string().meta({ description: '`<position>:<hash>` of the newest link; empty when there is none. Keep it elsewhere.' }),
    waiting: z.int().meta({ description: 'Rows that no link protects yet.' }),
    waiting_since: timestamp().nullable().meta({ description: 'When the oldest of them was written; null when none waits.' }),
    last_verification: z
      .object({
        at: timestamp(),
        ok: z.boolean(),
        rows: z.int().meta({ description: 'Links that were found whole.' }),
        head: z.string().meta({ description: 'The newest link then; empty after a failure.' }),
        explanation: z.string().meta({ description: 'What is wrong, in a sentence; empty when nothing is.' }),
      })
      .nullable()
      .meta({ description: 'Of the whole chain, as the program that verified it last noted; null when none has.' }),
  })
  .meta({ id: 'AuditChainStatus', description: 'How far the audit log is sealed, by what is stored. It proves nothing: verifying does.' });
export type AuditChainStatus = z.output<typeof AuditChainStatus>;

const AUDIT_RECENT_MAX = 5_000;

export const VerifyRecentAuditLogs = z.object({
  rows: queryInt(1, AUDIT_RECENT_MAX).optional().default(1_000).meta({ description: 'How many of the newest links to verify.' }),
});

export const AuditRecentVerdict = z
  .object({
    ok: z.boolean(),
    rows: z.int().meta({ description: 'Links that were found whole, from the oldest of the range on.' }),
    first_position: z.int().meta({ description: 'The oldest link of the range; 0 when the chain is empty.' }),
    last_position: z.int(),
    problem: z
      .object({
        kind: z.enum(['changed', 'removed', 'inserted']),
        audit_log_id: uuid().nullable(),
        explanation: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'AuditRecentVerdict', description: 'Whether the newest part of the audit log is what was sealed.' });
export type AuditRecentVerdict = z.output<typeof AuditRecentVerdict>;

/** One item of the stream that tells of new rows; read the newest page again. */
export interface AuditNews {
  readonly news: true;
}

export const routes = {
  list: route({
    method: 'GET',
    path: '/audit',
    tag: 'Audit',
    id: 'get-audit-logs',
    summary: 'Search the audit log',
    description: 'Newest first. Only rows that the caller may read; none for callers who may read no audit log.',
  }),
  chainStatus: route({
    method: 'GET',
    path: '/audit/chain',
    tag: 'Audit',
    id: 'get-audit-chain-status',
    summary: 'How far the audit log is sealed',
    errors: ['forbidden'],
  }),
  verifyRecent: route({
    method: 'GET',
    path: '/audit/chain/verify',
    tag: 'Audit',
    id: 'verify-recent-audit-logs',
    summary: 'Verify the newest part of the audit log',
    description:
      'Reads the newest links and their rows and compares them. Who does not trust this server verifies the whole chain in the database: `berth audit verify`.',
    errors: ['forbidden'],
  }),
};
