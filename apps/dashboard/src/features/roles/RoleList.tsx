import { Badge, Box, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import classes from '../../ui/rows.module.css';
import { useSiteRights } from '../access/use-permissions.ts';
import type { Organization } from '../organizations/organization-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import { useOrganizationRights } from '../organizations/use-organization-rights.ts';
import type { AssignableRole } from './role-words.ts';
import { roleDescription } from './role-words.ts';

/** The roles of an organization. */
export function RoleList({ organization }: { organization: Organization }): React.JSX.Element {
  const roles = useQuery(trpc.roles.listOrganization.queryOptions({ organization: organization.id }));
  const { may } = useOrganizationRights(organization);
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw={560}>
          Roles count only in this organization, and are given to its members one by one.
        </Text>
        {may.defineRoles && (
          <ButtonLink
            to="/people/organizations/$organization/roles/$role"
            params={{ organization: organization.name, role: 'new' }}
            leftSection={<IconPlus size={16} />}
          >
            New role
          </ButtonLink>
        )}
      </Group>
      {roles.isError ? (
        <ErrorNotice error={roles.error} title="The roles could not be loaded" onRetry={() => void roles.refetch()} />
      ) : roles.data === undefined ? (
        <Skeleton height={220} radius="md" />
      ) : (
        <RoleTable roles={roles.data} organization={organization} />
      )}
    </Stack>
  );
}

/** The roles of the site. */
export function SiteRoleList(): React.JSX.Element {
  const roles = useQuery(trpc.roles.listSite.queryOptions({}));
  if (roles.isError) return <ErrorNotice error={roles.error} title="The roles could not be loaded" onRetry={() => void roles.refetch()} />;
  if (roles.data === undefined) return <Skeleton height={220} radius="md" />;
  return <RoleTable roles={roles.data} />;
}

/** The button that makes a role of the site, for those who may. */
export function NewSiteRole(): React.JSX.Element | null {
  const { may } = useSiteRights();
  if (!may.defineSiteRoles) return null;
  return (
    <ButtonLink to="/people/roles/$role" params={{ role: 'new' }} leftSection={<IconPlus size={16} />}>
      New role
    </ButtonLink>
  );
}

function RoleTable({ roles, organization }: { roles: readonly AssignableRole[]; organization?: Organization }): React.JSX.Element {
  return (
    <Box className="surface" style={{ overflow: 'hidden' }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Roles">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Role</Table.Th>
            <Table.Th visibleFrom="sm">Kind</Table.Th>
            <Table.Th visibleFrom="md">For you</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {roles.map((role) => (
            <Table.Tr key={role.name} className={classes['row']}>
              <Table.Td>
                <RoleLink role={role} organization={organization} />
                <Text size="xs" c="dimmed" lineClamp={2}>
                  {roleDescription(role)}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Badge color={role.built_in ? 'gray' : 'harbour'}>{role.built_in ? 'Built in' : 'Custom'}</Badge>
              </Table.Td>
              <Table.Td visibleFrom="md">
                <Text size="sm" c={role.assignable ? undefined : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
                  {role.assignable ? 'You may give it' : 'Not yours to give'}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function RoleLink({ role, organization }: { role: AssignableRole; organization: Organization | undefined }): React.JSX.Element {
  const title = organizationTitle(role);
  if (organization === undefined) {
    return (
      <Link to="/people/roles/$role" params={{ role: role.name }} className={classes['link']}>
        {title}
      </Link>
    );
  }
  return (
    <Link
      to="/people/organizations/$organization/roles/$role"
      params={{ organization: organization.name, role: role.name }}
      className={classes['link']}
    >
      {title}
    </Link>
  );
}
