import { Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ORGANIZATION_TABS } from '../../app/people-tabs.ts';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { TabRow } from '../../ui/TabRow.tsx';
import { OrganizationGroups } from '../groups/OrganizationGroups.tsx';
import { ProvisionersTab } from '../provisioners/ProvisionersTab.tsx';
import { RoleList } from '../roles/RoleList.tsx';
import { OrganizationSync } from '../sync/OrganizationSync.tsx';
import { Members } from './Members.tsx';
import type { Organization } from './organization-words.ts';
import { organizationTitle } from './organization-words.ts';
import { OrganizationFailure } from './OrganizationFailure.tsx';
import { OrganizationSettings } from './OrganizationSettings.tsx';
import { useOrganizationRights } from './use-organization-rights.ts';

/** One organization: who is in it, and what they may do there. */
export function OrganizationPage(): React.JSX.Element {
  const { organization: name } = useParams({ from: '/session/shell/people/organizations/$organization' });
  const organization = useQuery(trpc.organizations.get.queryOptions({ organization: name }));
  if (organization.data !== undefined) return <LoadedOrganization organization={organization.data} />;
  if (organization.isError) {
    return <OrganizationFailure name={name} error={organization.error} onRetry={() => void organization.refetch()} />;
  }
  return (
    <Page title={name}>
      <Stack aria-busy="true">
        <Skeleton height={36} />
        <Skeleton height={260} radius="md" />
      </Stack>
    </Page>
  );
}

function LoadedOrganization({ organization }: { organization: Organization }): React.JSX.Element {
  const { tab = 'members' } = useSearch({ from: '/session/shell/people/organizations/$organization' });
  const navigate = useNavigate({ from: '/people/organizations/$organization' });
  const { may } = useOrganizationRights(organization);
  const title = organizationTitle(organization);
  return (
    <Page
      title={title}
      documentTitle={organization.name}
      subtitle={
        <>
          {organization.description !== '' && <Text inherit>{organization.description}</Text>}
          <AnchorLink inherit to="/workspaces" search={{ q: `organization:${organization.name}` }}>
            Workspaces
          </AnchorLink>
          {' · '}
          <AnchorLink inherit to="/audit" search={{ q: `organization:${organization.name}` }}>
            Audit log
          </AnchorLink>
        </>
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const next = ORGANIZATION_TABS.find((known) => known === value);
          void navigate({ search: next === undefined || next === 'members' ? {} : { tab: next }, replace: true });
        }}
      >
        <TabRow open={tab}>
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="groups">Groups</Tabs.Tab>
          <Tabs.Tab value="roles">Roles</Tabs.Tab>
          <Tabs.Tab value="provisioners">Provisioners</Tabs.Tab>
          {may.readSync && <Tabs.Tab value="sync">Sign-on sync</Tabs.Tab>}
          {may.update && <Tabs.Tab value="settings">Settings</Tabs.Tab>}
        </TabRow>
        <Tabs.Panel value="members">
          <Members organization={organization} />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <OrganizationGroups organization={organization} />
        </Tabs.Panel>
        <Tabs.Panel value="roles">
          <RoleList organization={organization} />
        </Tabs.Panel>
        <Tabs.Panel value="provisioners">
          <ProvisionersTab organization={organization} />
        </Tabs.Panel>
        <Tabs.Panel value="sync">
          <OrganizationSync organization={organization} mayChange={may.writeSync} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <OrganizationSettings key={organization.updated_at} organization={organization} mayDelete={may.delete} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
