import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearchOff, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { useNow } from '../../ui/clock.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { CreateUser } from './CreateUser.tsx';
import { userPresets } from './user-presets.ts';
import { UserTable } from './UserTable.tsx';

const PAGE_ROWS = 25;

/** Everybody with an account that the caller may see. */
export function UsersPage(): React.JSX.Element {
  const { q = '', page = 1 } = useSearch({ from: '/session/shell/people/users' });
  const navigate = useNavigate({ from: '/people/users' });
  const list = useQuery(
    trpc.users.list.queryOptions({ q, limit: PAGE_ROWS, offset: (page - 1) * PAGE_ROWS }, { placeholderData: keepPreviousData }),
  );
  const { may } = useSiteRights();
  const [isCreating, creation] = useDisclosure(false);
  const now = useNow();
  const search = (next: string): void => void navigate({ search: next === '' ? {} : { q: next }, replace: true });
  return (
    <Page
      title="Users"
      subtitle="Everybody with an account here."
      actions={
        may.createUsers && (
          <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
            New user
          </Button>
        )
      }
    >
      <SearchBox
        key={q}
        label="Search users"
        placeholder="Search: ada status:suspended role:owner"
        q={q}
        onSearch={search}
        presets={userPresets(now)}
      />
      {list.isError ? (
        <ErrorNotice error={list.error} title="The users could not be searched" onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <TableSkeleton label="Loading users" />
      ) : list.data.users.length === 0 ? (
        <NoUsers isSearch={q !== ''} onClear={() => search('')} />
      ) : (
        <>
          <UserTable users={list.data.users} isStale={list.isPlaceholderData} />
          <Pager
            count={list.data.count}
            pageRows={PAGE_ROWS}
            page={page}
            noun={['user', 'users']}
            onPage={(next) => void navigate({ search: (known) => ({ ...known, page: next }) })}
          />
        </>
      )}
      <CreateUser isOpen={isCreating} onClose={creation.close} />
    </Page>
  );
}

function NoUsers({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }): React.JSX.Element {
  if (!isSearch) {
    return (
      <EmptyState icon={<IconUsers size={24} />} title="Nobody to show">
        You see the accounts that your roles let you read.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconSearchOff size={24} />}
      title="Nobody matches"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    >
      Terms are joined by “and”. One word searches names and e-mail addresses; <code>status:</code>, <code>role:</code>,{' '}
      <code>last_seen_before:</code> and <code>last_seen_after:</code> narrow it down.
    </EmptyState>
  );
}
