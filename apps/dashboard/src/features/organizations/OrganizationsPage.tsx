import { Avatar, Badge, Box, Button, Group, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedTable } from '../../ui/DataTable.tsx';
import classes from '../../ui/rows.module.css';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { CreateOrganization } from './CreateOrganization.tsx';
import type { Organization } from './organization-words.ts';
import { organizationTitle } from './organization-words.ts';

const PAGE_ROWS = 25;

/** The organizations that the signed-in person may see. */
export function OrganizationsPage(): React.JSX.Element {
  const { page = 1 } = useSearch({ from: '/session/shell/people/organizations' });
  const navigate = useNavigate({ from: '/people/organizations' });
  const list = useQuery(trpc.organizations.list.queryOptions({}));
  const { may } = useSiteRights();
  const [isCreating, creation] = useDisclosure(false);
  return (
    <Page
      title="Organizations"
      subtitle="Each has its own members, groups, roles, templates and workspaces."
      actions={
        may.createOrganizations && (
          <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
            New organization
          </Button>
        )
      }
    >
      {list.isError ? (
        <ErrorNotice error={list.error} title="The organizations could not be loaded" onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <TableSkeleton label="Loading organizations" rows={3} />
      ) : list.data.length === 0 ? (
        <EmptyState icon={<IconBuilding size={24} />} title="No organization to show">
          You are in none. An owner can add you to one.
        </EmptyState>
      ) : (
        <PagedTable
          label="Organizations"
          columns={[{ title: 'Name' }, { title: 'Description', from: 'md' }, { title: 'Created', from: 'sm' }]}
          rows={list.data}
          pageRows={PAGE_ROWS}
          page={page}
          noun={['organization', 'organizations']}
          onPage={(next) => void navigate({ search: { page: next } })}
          renderRow={(organization) => <OrganizationRow key={organization.id} organization={organization} />}
        />
      )}
      <CreateOrganization isOpen={isCreating} onClose={creation.close} />
    </Page>
  );
}

function OrganizationRow({ organization }: { organization: Organization }): React.JSX.Element {
  const title = organizationTitle(organization);
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <OrganizationIcon organization={organization} />
          <Box miw={0}>
            <Group gap={6}>
              <Link to="/people/organizations/$organization" params={{ organization: organization.name }} className={classes['link']}>
                {title}
              </Link>
              {organization.is_default && <Badge color="gray">Default</Badge>}
            </Group>
            <Text size="xs" c="dimmed">
              {organization.name}
            </Text>
          </Box>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" lineClamp={2}>
          {organization.description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={organization.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}

function OrganizationIcon({ organization }: { organization: Organization }): React.JSX.Element {
  return (
    <Avatar
      aria-hidden
      name={organizationTitle(organization)}
      // Pictures of other hosts are not let in by the content security policy.
      src={organization.icon.startsWith('/') ? organization.icon : null}
      alt=""
      size={32}
      radius="md"
      color="harbour"
    />
  );
}
