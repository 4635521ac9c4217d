import { counted } from '@berth/core';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import { Daemons } from './Daemons.tsx';
import { Queue } from './Queue.tsx';

/** Each is asked about its queue and its daemons every few seconds. */
const ORGANIZATIONS_MAX = 12;

/** What imports templates and builds workspaces, in every organization, and what waits for it. */
export function ProvisionersPage(): React.JSX.Element {
  const organizations = useQuery(trpc.organizations.list.queryOptions({}));
  const shown = organizations.data?.slice(0, ORGANIZATIONS_MAX) ?? [];
  const left = (organizations.data?.length ?? 0) - shown.length;
  return (
    <Page title="Provisioners" subtitle="What imports templates and builds workspaces, and the jobs that wait for it.">
      {organizations.isError ? (
        <ErrorNotice
          error={organizations.error}
          title="The organizations could not be loaded"
          onRetry={() => void organizations.refetch()}
        />
      ) : organizations.data === undefined ? (
        <Skeleton height={240} radius="md" />
      ) : (
        shown.map((organization) => (
          <OfOrganization key={organization.id} organization={organization} isAlone={organizations.data.length === 1} />
        ))
      )}
      {left > 0 && (
        <Text size="sm" c="dimmed">
          {counted(left, 'more organization has', 'more organizations have')} a page of provisioners of their own, under{' '}
          <AnchorLink to="/people/organizations" inherit>
            Organizations
          </AnchorLink>
          .
        </Text>
      )}
    </Page>
  );
}

function OfOrganization({ organization, isAlone }: { organization: Organization; isAlone: boolean }): React.JSX.Element {
  const title = organizationTitle(organization);
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Group justify="space-between" align="baseline">
        <Title order={2}>{isAlone ? 'Waiting jobs' : title}</Title>
        <AnchorLink
          to="/people/organizations/$organization"
          params={{ organization: organization.name }}
          search={{ tab: 'provisioners' }}
          size="sm"
        >
          Keys{isAlone ? '' : ` of ${title}`}
        </AnchorLink>
      </Group>
      {!isAlone && <Title order={3}>Waiting jobs</Title>}
      <Queue organization={organization} />
      <Title order={isAlone ? 2 : 3} mt="sm">
        Daemons
      </Title>
      <Daemons organization={organization} />
    </Stack>
  );
}
