import { Box, Group, Text, useMatches } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { QueryInput } from '../../ui/query/QueryInput.tsx';
import { parseSearchText } from '../../ui/search-params.ts';
import { SavedSearchMenu } from '../saved-searches/SavedSearchMenu.tsx';
import { BulkBar } from './bulk/BulkBar.tsx';
import { countWords } from './bulk/bulk-words.ts';
import type { WorkspacesSearch } from './list/list-address.ts';
import { addressOf, columnsOf, readWorkspacesSearch } from './list/list-address.ts';
import { DisplayMenu } from './list/DisplayMenu.tsx';
import { useChosenColumns } from './list/use-columns.ts';
import { useFirstRows } from './list/use-rows.ts';
import { useSelection } from './list/use-selection.ts';
import { WorkspaceCards } from './list/WorkspaceCards.tsx';
import { WorkspaceTable } from './list/WorkspaceTable.tsx';
import { NoWorkspaces } from './NoWorkspaces.tsx';
import { PRESETS } from './search-presets.ts';
import { WORKSPACE_QUERY } from './search-spec.ts';
import { useBuildAction } from './use-build-action.ts';
import { useLiveWorkspaces } from './use-live-workspaces.ts';
import { WorkspaceTableSkeleton } from './WorkspaceTableSkeleton.tsx';

/** All workspaces that the caller may see, however many: searchable, sortable, kept current by the server. The address holds how. */
export function WorkspacesPage(): React.JSX.Element {
  const search = useSearch({ from: '/session/shell/workspaces' });
  const { q = '', sort, view = 'table' } = search;
  const navigate = useNavigate({ from: '/workspaces' });
  const { listed, isStale, data, error, retry } = useFirstRows({ q, sort });
  const [chosenColumns, setChosenColumns] = useChosenColumns();
  const columns = columnsOf(search.columns) ?? chosenColumns;
  const selected = useSelection(listed);
  const action = useBuildAction();
  useLiveWorkspaces();
  // What is changed takes the place of what was shown; a step back leads out of the list, or to the view that was opened before.
  const change = (next: WorkspacesSearch): void => void navigate({ search: next, replace: true, resetScroll: true });
  const sorted = (next: WorkspacesSearch['sort']): void => change(without({ ...search, sort: next }));
  const isNarrow = useMatches({ base: true, sm: false });
  const isEmpty = data?.count === 0 && !isStale;
  const list = { listed, isStale, selected, count: data?.count ?? 0, onAct: act };
  function act(workspace: Parameters<typeof action.mutate>[0]['workspace'], transition: 'start' | 'stop'): void {
    action.mutate({ workspace, transition });
  }
  return (
    <Page
      title="Workspaces"
      actions={
        <ButtonLink to="/workspaces/new" leftSection={<IconPlus size={16} />}>
          New workspace
        </ButtonLink>
      }
    >
      {!(isEmpty && q === '') && (
        <Group gap="xs" wrap={isNarrow ? 'wrap' : 'nowrap'} align="flex-start">
          <Box flex={isNarrow ? '1 0 100%' : 1} miw={0}>
            <QueryInput
              label="Search workspaces"
              placeholder="Search: owner:me status:running"
              spec={WORKSPACE_QUERY}
              q={q}
              onSearch={(next) => change(without({ ...search, q: next }))}
            />
          </Box>
          <SavedSearchMenu
            page="workspaces"
            address={addressOf(search)}
            presets={PRESETS}
            onOpen={(address) => void navigate({ search: readWorkspacesSearch(parseSearchText(address)) })}
          />
          <DisplayMenu
            view={view}
            sort={sort}
            columns={columns}
            onView={(next) => change(without({ ...search, view: next }))}
            onSort={sorted}
            onColumns={(next) => {
              setChosenColumns(next);
              if (search.columns !== undefined) change({ ...search, columns: next.join(',') });
            }}
          />
        </Group>
      )}
      {error !== null ? (
        <ErrorNotice error={error} title="The workspaces could not be loaded" onRetry={() => void retry()} />
      ) : data === undefined ? (
        <WorkspaceTableSkeleton />
      ) : isEmpty ? (
        <NoWorkspaces isSearch={q !== ''} onClear={() => void navigate({ search: {} })} />
      ) : (
        <div>
          <Text size="sm" c="dimmed" mb={8} role="status" className="tabular">
            {countWords(data.count)}
            {q !== '' && ' found'}
          </Text>
          {view === 'cards' ? <WorkspaceCards {...list} /> : <WorkspaceTable {...list} columns={columns} onSort={sorted} />}
        </div>
      )}
      <BulkBar selected={selected} count={data?.count ?? 0} />
    </Page>
  );
}

/** What is as usual is not said in the address. */
function without(search: { [K in keyof WorkspacesSearch]: WorkspacesSearch[K] | 'table' | undefined }): WorkspacesSearch {
  return readWorkspacesSearch(search);
}
