import { AUDIT_SEARCH } from '@berth/domain';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';
import type { PresetSearch } from '../saved-searches/address.ts';
import type { QuerySpec, QueryValue } from '../../ui/query/query-spec.ts';
import { ACTION_OPTIONS, BUILD_REASON_OPTIONS, RESOURCE_TYPE_OPTIONS } from './audit-words.ts';

const STALE_MS = 60_000;
const OFFERED = 20;

const closed = (options: readonly { value: string; label: string }[]): readonly QueryValue[] =>
  options.map(({ value, label }) => ({ value, hint: label }));

async function people(typed: string): Promise<readonly QueryValue[]> {
  const input = { q: typed === '' || typed.includes('"') ? '' : `"${typed}"`, limit: OFFERED };
  const { users } = await queryClient.fetchQuery(trpc.users.list.queryOptions(input, { staleTime: STALE_MS }));
  return [{ value: 'me', hint: 'Yourself' }, ...users.map(({ username, name }) => ({ value: username, hint: name }))];
}

async function organizations(): Promise<readonly QueryValue[]> {
  const known = await queryClient.fetchQuery(trpc.organizations.list.queryOptions({}, { staleTime: STALE_MS }));
  return known.map(({ name, display_name: hint }) => ({ value: name, hint }));
}

/** The search language of the audit log, as the query completes it. */
export const AUDIT_QUERY: QuerySpec = {
  rules: AUDIT_SEARCH,
  keys: [
    { key: 'resource_type', hint: 'The kind of thing', values: closed(RESOURCE_TYPE_OPTIONS) },
    { key: 'action', hint: 'What was done', values: closed(ACTION_OPTIONS) },
    { key: 'username', hint: 'Who did it', values: people },
    { key: 'resource_target', hint: 'The name of the thing' },
    { key: 'name', hint: 'The name of the thing or of the person' },
    { key: 'organization', hint: 'Where', values: organizations },
    { key: 'date_from', hint: 'A day in UTC, or an instant in quotation marks' },
    { key: 'date_to', hint: 'A day in UTC, or an instant in quotation marks' },
    { key: 'build_reason', hint: 'Why a build was made', values: closed(BUILD_REASON_OPTIONS) },
    { key: 'email', hint: 'Who did it' },
    { key: 'request_id', hint: 'All that one request did' },
    { key: 'resource_id', hint: 'One thing, whatever its name' },
    { key: 'id', hint: 'One entry' },
  ],
};

/** What stands behind the `?` of the page’s address for a search. */
export function auditAddress(q: string): string {
  return q === '' ? '' : new URLSearchParams({ q }).toString();
}

/** Searches that auditors make all day. */
export const AUDIT_PRESETS: readonly PresetSearch[] = (
  [
    ['Everything', ''],
    ['What I did', 'username:me'],
    ['Sign-ins', 'resource_type:api_key action:login'],
    ['Deletions', 'action:delete'],
    ['Changes of people', 'resource_type:user'],
    ['Changes of roles', 'resource_type:custom_role'],
    ['Workspaces by schedule', 'build_reason:autostop'],
    ['Exports of this log', 'resource_type:audit_export'],
  ] as const
).map(([label, q]) => ({ label, address: auditAddress(q) }));
