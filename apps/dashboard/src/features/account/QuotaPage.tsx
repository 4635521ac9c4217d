import { Skeleton, Stack } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { organizationTitle } from '../organizations/organization-words.ts';
import { QuotaDerivation } from '../quota/QuotaDerivation.tsx';
import { meQuery } from '../session/session.ts';
import { Section } from './Section.tsx';

/** What one's workspaces may cost a day, by organization, and where that comes from. */
export function QuotaPage(): React.JSX.Element {
  const organizations = useQuery(trpc.users.organizations.queryOptions({ user: 'me' }));
  return (
    <Page title="Quota" subtitle="What your workspaces cost a day, and may cost. A build that would cost more is refused before it begins.">
      {organizations.isError ? (
        <ErrorNotice
          error={organizations.error}
          title="Your organizations could not be loaded"
          onRetry={() => void organizations.refetch()}
        />
      ) : organizations.data === undefined ? (
        <Skeleton height={180} radius="md" />
      ) : organizations.data.length === 0 ? (
        <EmptyState icon={<IconCoins size={24} />} title="You are in no organization">
          Quotas come from the groups of an organization.
        </EmptyState>
      ) : (
        <Stack>
          {organizations.data.map((organization) => (
            <OrganizationQuota key={organization.id} organization={organization} />
          ))}
        </Stack>
      )}
    </Page>
  );
}

function OrganizationQuota({ organization }: { organization: Outputs['users']['organizations'][number] }): React.JSX.Element {
  const { data: me } = useSuspenseQuery(meQuery());
  const quota = useQuery(trpc.quotas.explain.queryOptions({ organization: organization.id, user: 'me' }, { staleTime: 0 }));
  return (
    <Section title={organizationTitle(organization)}>
      {quota.isError ? (
        <ErrorNotice error={quota.error} title="The quota could not be loaded" onRetry={() => void quota.refetch()} />
      ) : quota.data === undefined ? (
        <Skeleton height={90} />
      ) : (
        <QuotaDerivation quota={quota.data} owner={me.username} />
      )}
    </Section>
  );
}
