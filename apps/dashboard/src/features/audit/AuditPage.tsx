import { counted } from '@berth/core';
import { Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconArrowUp, IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { QueryInput } from '../../ui/query/QueryInput.tsx';
import { SavedSearchMenu } from '../saved-searches/SavedSearchMenu.tsx';
import { AuditList } from './AuditList.tsx';
import { AUDIT_PRESETS, AUDIT_QUERY, auditAddress } from './audit-spec.ts';
import { ChainStatus } from './ChainStatus.tsx';
import { EntryDrawer } from './EntryDrawer.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { FilterChips } from './FilterChips.tsx';
import { useLiveTail } from './use-live-tail.ts';

const PAGE_ROWS = 25;
const ROW_HEIGHT = 58;
/** Whoever has scrolled further reads something that new rows would move. */
const AT_TOP_PX = 40;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many pages of the audit log lie behind this one in the browser's history. */
    auditDepth?: number;
  }
}

/** Who did what, when and from where; the whole question stands in the URL. */
export function AuditPage(): React.JSX.Element {
  const { q = '', before, entry, live = false } = useSearch({ from: '/session/shell/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const { history } = useRouter();
  const depth = history.location.state.auditDepth ?? 0;
  const input = { q, limit: PAGE_ROWS, ...(before === undefined ? {} : { before }) };
  const page = useQuery(
    trpc.audit.page.queryOptions(input, { placeholderData: keepPreviousData, staleTime: 0, refetchOnWindowFocus: !live }),
  );
  const isLive = live && before === undefined;
  const tail = useLiveTail({ input, isOn: isLive, mayShow: () => entry === undefined && window.scrollY <= AT_TOP_PX });

  const address = { ...(q === '' ? {} : { q }), ...(before === undefined ? {} : { before }), ...(live ? { live } : {}) };
  const search = (next: string): void => void navigate({ search: { ...(next === '' ? {} : { q: next }), ...(live ? { live } : {}) } });
  const open = (id: string | undefined): void =>
    void navigate({
      search: { ...address, ...(id === undefined ? {} : { entry: id }) },
      // Going from one entry to the next is no way that one goes back.
      replace: entry !== undefined,
      resetScroll: false,
      state: (known) => known,
    });
  const rows = page.data?.audit_logs ?? [];
  const next = page.data?.next ?? null;
  return (
    <Page
      title="Audit log"
      subtitle="Everything that was done here, by whom and from where. Entries cannot be changed."
      actions={
        <>
          <ChainStatus />
          <ExportMenu q={q} count={page.data?.count ?? 0} />
        </>
      }
    >
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <QueryInput
            label="Search the audit log"
            placeholder="Search: resource_type:workspace action:delete username:ada"
            spec={AUDIT_QUERY}
            q={q}
            onSearch={search}
          />
          <SavedSearchMenu
            page="audit"
            address={auditAddress(q)}
            presets={AUDIT_PRESETS}
            onOpen={(address) => search(new URLSearchParams(address).get('q') ?? '')}
          />
        </Group>
        <Group justify="space-between" gap="xs">
          <FilterChips q={q} onChange={search} />
          <Switch
            label="Live"
            title="New entries come in at the top by themselves"
            checked={live}
            onChange={(event) =>
              void navigate({
                search: { ...(q === '' ? {} : { q }), ...(event.currentTarget.checked ? { live: true } : {}) },
                replace: true,
              })
            }
          />
        </Group>
      </Stack>
      {page.isError ? (
        <ErrorNotice error={page.error} title="The audit log could not be searched" onRetry={() => void page.refetch()} />
      ) : page.data === undefined ? (
        <Stack gap={1} aria-busy="true" className="surface" p={1}>
          {Array.from({ length: 10 }, (_, row) => (
            <Skeleton key={row} height={ROW_HEIGHT} radius={0} />
          ))}
        </Stack>
      ) : rows.length === 0 ? (
        <NoEntries q={q} isLive={isLive} onClear={() => search('')} />
      ) : (
        <Stack gap="sm">
          {tail.waiting > 0 && (
            <Group justify="center" pos="sticky" top={64} style={{ zIndex: 2 }}>
              <Button
                size="compact-md"
                radius="xl"
                leftSection={<IconArrowUp size={14} />}
                onClick={() => {
                  tail.show();
                  window.scrollTo({ top: 0 });
                }}
              >
                {counted(tail.waiting, 'new entry', 'new entries')}
              </Button>
            </Group>
          )}
          <AuditList rows={rows} entry={entry} arrived={tail.arrived} isStale={page.isPlaceholderData} onOpen={open} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {counted(page.data.count, 'entry', 'entries')}
              {tail.waiting > 0 && `, ${tail.waiting} new`}
            </Text>
            <Group gap="xs">
              {before !== undefined && (
                <Button size="xs" variant="default" onClick={() => search(q)}>
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
                disabled={next === null}
                onClick={() =>
                  void navigate({
                    search: { ...(q === '' ? {} : { q }), ...(next === null ? {} : { before: next }) },
                    state: (known) => ({ ...known, auditDepth: depth + 1 }),
                  })
                }
              >
                Older
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
      <EntryDrawer entry={entry} rows={rows} onOpen={open} />
    </Page>
  );
}

function NoEntries({ q, isLive, onClear }: { q: string; isLive: boolean; onClear: () => void }): React.JSX.Element {
  if (q === '') {
    return (
      <EmptyState icon={<IconHistory size={24} />} title="Nothing to show">
        You see the entries of what you may audit. Ask an owner for the auditor role to see more.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconHistory size={24} />}
      title={isLive ? 'No entry matches yet' : 'No entry matches'}
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    >
      {isLive
        ? 'What matches will appear here as it happens.'
        : 'All terms must hold at once: take a filter away, or choose a longer span of time.'}
    </EmptyState>
  );
}
