import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { BulkBar } from './BulkBar.tsx';
import { useLiveWorkspaces } from './use-live-workspaces.ts';
import { NoWorkspaces } from './NoWorkspaces.tsx';
import { WorkspaceSearchBox } from './WorkspaceSearchBox.tsx';
import { WorkspaceTable } from './WorkspaceTable.tsx';
import { WorkspaceTableSkeleton } from './WorkspaceTableSkeleton.tsx';
import { ButtonLink } from '../../ui/links.tsx';

const PAGE_ROWS = 25;
const NONE: ReadonlySet<string> = new Set();

/** All workspaces that the caller may see, searchable, kept current by the server. */
export function WorkspacesPage(): React.JSX.Element {
  const { q = '', page = 1 } = useSearch({ from: '/session/shell/workspaces' });
  const navigate = useNavigate({ from: '/workspaces' });
  const list = useQuery(
    trpc.workspaces.list.queryOptions({ q, limit: PAGE_ROWS, offset: (page - 1) * PAGE_ROWS }, { placeholderData: keepPreviousData }),
  );
  useLiveWorkspaces();
  const [selected, setSelected] = useState<ReadonlySet<string>>(NONE);
  const shown = list.data?.workspaces ?? [];
  const isEmpty = list.data?.count === 0 && !list.isPlaceholderData;
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
        <WorkspaceSearchBox key={q} q={q} onSearch={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })} />
      )}
      {list.isError ? (
        <ErrorNotice error={list.error} title="The workspaces could not be loaded" onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <WorkspaceTableSkeleton />
      ) : isEmpty ? (
        <NoWorkspaces isSearch={q !== ''} onClear={() => void navigate({ search: {} })} />
      ) : (
        <>
          <WorkspaceTable workspaces={shown} isStale={list.isPlaceholderData} selected={selected} onSelect={setSelected} />
          <Pager
            count={list.data.count}
            pageRows={PAGE_ROWS}
            page={page}
            noun={['workspace', 'workspaces']}
            onPage={(next) => void navigate({ search: (known) => ({ ...known, page: next }) })}
          />
        </>
      )}
      <BulkBar workspaces={shown.filter(({ id }) => selected.has(id))} onClear={() => setSelected(NONE)} />
    </Page>
  );
}
