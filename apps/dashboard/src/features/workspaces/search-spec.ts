import { AGENT_STATUSES, ME, WORKSPACE_SEARCH, WORKSPACE_STATUSES } from '@berth/domain';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';
import type { QuerySpec, QueryValue } from '../../ui/query/query-spec.ts';
import { STATUS_LOOKS } from './status.ts';

const STALE_MS = 60_000;
const USERS_SHOWN = 20;
const TRUE: readonly QueryValue[] = [{ value: 'true' }];
const EITHER: readonly QueryValue[] = [{ value: 'true' }, { value: 'false' }];

async function owners(typed: string): Promise<QueryValue[]> {
  const me = { value: ME, hint: 'you' };
  // Quotation marks and colons would be read as a search of its own.
  const q = typed.replaceAll(/[":\s]/g, '');
  const { users } = await queryClient.fetchQuery(trpc.users.list.queryOptions({ q, limit: USERS_SHOWN }, { staleTime: STALE_MS }));
  return [me, ...users.map(({ username, name }) => ({ value: username, hint: name }))];
}

async function templates(): Promise<QueryValue[]> {
  const all = await queryClient.fetchQuery(trpc.templates.list.queryOptions({}, { staleTime: STALE_MS }));
  return all.map(({ name, display_name: hint }) => ({ value: name, hint }));
}

async function organizations(): Promise<QueryValue[]> {
  const all = await queryClient.fetchQuery(trpc.organizations.list.queryOptions({}, { staleTime: STALE_MS }));
  return all.map(({ name, display_name: hint }) => ({ value: name, hint }));
}

/** The search language of workspaces, as it is offered while one types. */
export const WORKSPACE_QUERY: QuerySpec = {
  rules: WORKSPACE_SEARCH,
  keys: [
    { key: 'owner', hint: 'whose it is', values: owners },
    { key: 'status', hint: 'how it is', values: WORKSPACE_STATUSES.map((value) => ({ value, hint: STATUS_LOOKS[value].label })) },
    { key: 'template', hint: 'what it was made from', values: templates },
    { key: 'name', hint: 'part of its name' },
    { key: 'organization', hint: 'where it is', values: organizations },
    { key: 'outdated', hint: 'a newer version of its template is there', values: EITHER },
    { key: 'has-agent', hint: 'how an agent of it is', values: AGENT_STATUSES.map((value) => ({ value })) },
    { key: 'dormant', hint: 'asleep, since nobody used it', values: TRUE },
    { key: 'param', hint: 'a parameter: name or name=value' },
    { key: 'last_used_before', hint: '"2026-01-31T00:00:00Z"' },
    { key: 'last_used_after', hint: '"2026-01-31T00:00:00Z"' },
    { key: 'id', hint: 'its id' },
  ],
};
