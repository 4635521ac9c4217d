import { Accordion, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditRow } from './AuditRow.tsx';

const PAGE_ROWS = 25;
const ROW_HEIGHT = 58;
const TYPING_PAUSE_MS = 400;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many pages of the audit log lie behind this one in the browser's history. */
    auditDepth?: number;
  }
}

/** Who did what, when and from where; the whole question stands in the URL. */
export function AuditPage(): React.JSX.Element {
  const { q = '', before } = useSearch({ from: '/session/shell/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const { history } = useRouter();
  const depth = history.location.state.auditDepth ?? 0;
  const page = useQuery(
    trpc.audit.page.queryOptions(
      { q, limit: PAGE_ROWS, ...(before === undefined ? {} : { before }) },
      { placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const search = (next: string): void => void navigate({ search: next === '' ? {} : { q: next } });
  const next = page.data?.next;
  return (
    <Page title="Audit log" subtitle="Everything that was done here, by whom and from where. Entries cannot be changed.">
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <QueryBox key={q} q={q} onSearch={search} />
          {q !== '' && (
            <Button variant="default" style={{ flexShrink: 0 }} onClick={() => search('')}>
              Clear all
            </Button>
          )}
        </Group>
        <AuditFilters q={q} onChange={search} />
      </Stack>
      {page.isError ? (
        <ErrorNotice error={page.error} title="The audit log could not be searched" onRetry={() => void page.refetch()} />
      ) : page.data === undefined ? (
        <Stack gap={1} aria-busy="true" className="surface" p={1}>
          {Array.from({ length: 10 }, (_, row) => (
            <Skeleton key={row} height={ROW_HEIGHT} radius={0} />
          ))}
        </Stack>
      ) : page.data.audit_logs.length === 0 ? (
        <EmptyState icon={<IconHistory size={24} />} title={q === '' ? 'Nothing to show' : 'No entry matches'}>
          {q === ''
            ? 'You see the entries of what you may audit. Ask an owner for the auditor role to see more.'
            : 'Terms are joined by “and”. Try fewer of them.'}
        </EmptyState>
      ) : (
        <>
          <Accordion
            variant="default"
            chevronPosition="left"
            className="surface"
            style={{ opacity: page.isPlaceholderData ? 0.6 : 1, overflow: 'hidden' }}
            multiple
          >
            {page.data.audit_logs.map((row) => (
              <AuditRow key={row.id} row={row} />
            ))}
          </Accordion>
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {page.data.count === 1 ? '1 entry' : `${page.data.count.toLocaleString('en')} entries`}
            </Text>
            <Group gap="xs">
              {before !== undefined && (
                <Button size="xs" variant="default" onClick={() => void navigate({ search: q === '' ? {} : { q } })}>
                  Newest
                </Button>
              )}
              {depth > 0 && (
                <Button size="xs" variant="default" onClick={() => history.back()}>
                  Newer
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                disabled={next === null || next === undefined}
                onClick={() =>
                  void navigate({
                    search: { ...(q === '' ? {} : { q }), ...(next === null || next === undefined ? {} : { before: next }) },
                    state: (known) => ({ ...known, auditDepth: depth + 1 }),
                  })
                }
              >
                Older
              </Button>
            </Group>
          </Group>
        </>
      )}
    </Page>
  );
}

function QueryBox({ q, onSearch }: { q: string; onSearch: (q: string) => void }): React.JSX.Element {
  const [draft, setDraft] = useState(q);
  const searchSoon = useDebouncedCallback((next: string) => {
    if (!next.endsWith(':') && next.trim() !== q) onSearch(next.trim());
  }, TYPING_PAUSE_MS);
  return (
    <form
      role="search"
      style={{ flex: 1 }}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(draft.trim());
      }}
    >
      <TextInput
        type="search"
        aria-label="Search the audit log"
        placeholder="Search: resource_type:workspace action:delete username:ada"
        leftSection={<IconSearch size={16} />}
        value={draft}
        onChange={(event) => {
          setDraft(event.currentTarget.value);
          searchSoon(event.currentTarget.value);
        }}
      />
    </form>
  );
}
