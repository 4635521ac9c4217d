import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconKey, IconSearchOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { PagedTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { NotForYou } from '../../ui/NotForYou.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { TokenRow } from './TokenRow.tsx';
import { UNUSED_SPANS, unusedSpan } from './unused-spans.ts';

const PAGE_ROWS = 25;
/** What the server answers at most. */
const TOKENS_MAX = 1000;

/** Every token that programs act with here: whose it is, what it may do, and whether anything still uses it. */
export function AllTokensPage(): React.JSX.Element {
  const { q = '', unused, page = 1 } = useSearch({ from: '/session/shell/admin/tokens' });
  const navigate = useNavigate({ from: '/admin/tokens' });
  const tokens = useQuery(
    trpc.tokens.list.queryOptions(
      { user: 'me', include_all: true, q, ...(unused === undefined ? {} : { unused_days: unused }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const { may, isKnown } = useSiteRights();
  if (isKnown && !may.readAllTokens) {
    return (
      <Page title="Tokens">
        <NotForYou
          title="Tokens of others are not for your role"
          action={<ButtonLink to="/account/tokens">Go to your own tokens</ButtonLink>}
        >
          Owners of the deployment see every token, whose it is and when it was used.
        </NotForYou>
      </Page>
    );
  }
  const isNarrowed = q !== '' || unused !== undefined;
  return (
    <Page title="Tokens" subtitle="Every token that a program may act with here, and when it last did.">
      <Stack>
        <Group gap="xs" align="flex-start" grow preventGrowOverflow={false}>
          <div style={{ flex: '3 1 220px' }}>
            <SearchBox
              key={q}
              label="Search tokens"
              placeholder="Search: name of the token or its owner"
              q={q}
              onSearch={(next) =>
                void navigate({
                  search: ({ unused: span }) => ({ ...(next === '' ? {} : { q: next }), ...(span === undefined ? {} : { unused: span }) }),
                  replace: true,
                })
              }
            />
          </div>
          <Select
            style={{ flex: '1 1 190px' }}
            aria-label="Not used for"
            placeholder="Used or not"
            clearable
            data={UNUSED_SPANS.map(({ days, label }) => ({ value: String(days), label: `Not used for ${label}` }))}
            value={unused === undefined ? null : String(unused)}
            onChange={(value) => {
              const span = unusedSpan(value);
              void navigate({ search: { ...(q === '' ? {} : { q }), ...(span === undefined ? {} : { unused: span }) }, replace: true });
            }}
          />
        </Group>
        {tokens.isError ? (
          <ErrorNotice error={tokens.error} title="The tokens could not be loaded" onRetry={() => void tokens.refetch()} />
        ) : tokens.data === undefined ? (
          <TableSkeleton label="Loading tokens" />
        ) : tokens.data.length === 0 ? (
          <NoTokens isNarrowed={isNarrowed} onClear={() => void navigate({ search: {} })} />
        ) : (
          <>
            {tokens.data.length === TOKENS_MAX && (
              <Text size="sm" c="dimmed">
                The newest {TOKENS_MAX.toLocaleString('en')} are shown. Search to find older ones.
              </Text>
            )}
            <PagedTable
              label="Tokens"
              columns={[
                { title: 'Token' },
                { title: 'Owner', from: 'sm' },
                { title: 'May do', from: 'md' },
                { title: 'Last used' },
                { title: 'Expires', from: 'md' },
                { title: 'Revoke', width: 60, isLast: true },
              ]}
              isStale={tokens.isPlaceholderData}
              rows={tokens.data}
              pageRows={PAGE_ROWS}
              page={page}
              noun={['token', 'tokens']}
              onPage={(next) => void navigate({ search: (known) => ({ ...known, page: next }) })}
              renderRow={(token) => <TokenRow key={token.id} token={token} />}
            />
          </>
        )}
      </Stack>
    </Page>
  );
}

function NoTokens({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }): React.JSX.Element {
  if (!isNarrowed) {
    return (
      <EmptyState icon={<IconKey size={24} />} title="No tokens yet">
        People make them in their accounts, for scripts and programs. Each shows up here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconSearchOff size={24} />}
      title="No such token"
      action={
        <Button variant="default" onClick={onClear}>
          Show all tokens
        </Button>
      }
    >
      A token that was never used counts as unused from when it was made.
    </EmptyState>
  );
}
