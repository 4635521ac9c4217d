import { Badge, Box, Button, Group as Row, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Pager } from '../../ui/Pager.tsx';
import classes from '../../ui/rows.module.css';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { useOrganizationRights } from '../organizations/use-organization-rights.ts';
import { CreateGroup } from './CreateGroup.tsx';
import type { Group } from './group-words.ts';
import { groupTitle, isEveryone, memberCount } from './group-words.ts';

const PAGE_ROWS = 25;

/** The groups of an organization; Everyone is always the first. */
export function OrganizationGroups({ organization }: { organization: Organization }): React.JSX.Element {
  const { page = 1 } = useSearch({ from: '/session/shell/people/organizations/$organization' });
  const navigate = useNavigate({ from: '/people/organizations/$organization' });
  const groups = useQuery(trpc.groups.listByOrganization.queryOptions({ organization: organization.id }));
  const { may } = useOrganizationRights(organization);
  const [isCreating, creation] = useDisclosure(false);
  if (groups.isError) {
    return <ErrorNotice error={groups.error} title="The groups could not be loaded" onRetry={() => void groups.refetch()} />;
  }
  if (groups.data === undefined) return <TableSkeleton label="Loading groups" rows={3} />;
  const sorted = groups.data.toSorted(
    (a, b) => Number(isEveryone(b)) - Number(isEveryone(a)) || groupTitle(a).localeCompare(groupTitle(b)),
  );
  return (
    <Stack>
      <Row justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw={560}>
          Templates are shared with groups, and the quota allowances of somebody’s groups add up to what they may use.
        </Text>
        {may.createGroups && (
          <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
            New group
          </Button>
        )}
      </Row>
      {sorted.length === 0 ? (
        <EmptyState icon={<IconUsersGroup size={24} />} title="No groups to show">
          You see the groups that you are in, and those that you may manage.
        </EmptyState>
      ) : (
        <>
          <Box className="surface" style={{ overflow: 'hidden' }}>
            <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Groups">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Members</Table.Th>
                  <Table.Th visibleFrom="sm">Quota allowance</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sorted.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((group) => (
                  <GroupRow key={group.id} group={group} organization={organization} />
                ))}
              </Table.Tbody>
            </Table>
          </Box>
          <Pager
            count={sorted.length}
            pageRows={PAGE_ROWS}
            page={page}
            noun={['group', 'groups']}
            onPage={(next) => void navigate({ search: (known) => ({ ...known, page: next }) })}
          />
        </>
      )}
      <CreateGroup organization={organization} isOpen={isCreating} onClose={creation.close} />
    </Stack>
  );
}

function GroupRow({ group, organization }: { group: Group; organization: Organization }): React.JSX.Element {
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td>
        <Row gap={6}>
          <Link
            to="/people/organizations/$organization/groups/$group"
            params={{ organization: organization.name, group: group.name }}
            className={classes['link']}
          >
            {groupTitle(group)}
          </Link>
          {isEveryone(group) && <Badge color="gray">All members</Badge>}
          {group.source === 'oidc' && <Badge color="blue">From sign-on</Badge>}
        </Row>
        {group.name !== groupTitle(group) && (
          <Text size="xs" c="dimmed" className="wrap-anywhere">
            {group.name}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="tabular">
          {memberCount(group)}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" className="tabular">
          {group.quota_allowance.toLocaleString('en')}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
