import { ActionIcon, Badge, Box, Button, Group, Menu, Stack, Table, Text, useMatches } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconDots, IconUserMinus, IconUserPlus, IconUsers, IconUserShield } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { ACTIONS, PagedTable } from '../../ui/DataTable.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import classes from '../../ui/rows.module.css';
import { Person } from '../users/Person.tsx';
import { useIsMe } from '../users/use-user-rights.ts';
import { personName } from '../users/user-words.ts';
import { AddMember } from './AddMember.tsx';
import { MemberRoles } from './MemberRoles.tsx';
import type { Organization } from './organization-words.ts';
import { organizationTitle } from './organization-words.ts';
import { useOrganizationRights } from './use-organization-rights.ts';

type Member = Outputs['members']['list'][number];

const PAGE_ROWS = 25;
/** More are found by searching only. */
const MEMBERS_MAX = 1000;

/** Who is in an organization, with what roles. */
export function Members({ organization }: { organization: Organization }): React.JSX.Element {
  const { q = '', page = 1 } = useSearch({ from: '/session/shell/people/organizations/$organization' });
  const navigate = useNavigate({ from: '/people/organizations/$organization' });
  const members = useQuery(
    trpc.members.list.queryOptions({ organization: organization.id, q, limit: MEMBERS_MAX }, { placeholderData: keepPreviousData }),
  );
  const { may, isKnown } = useOrganizationRights(organization);
  const [isAdding, adding] = useDisclosure(false);
  // A narrow screen has the roles under the name. Either place has them, never both: they are read aloud too.
  const isNarrow = useMatches({ base: true, sm: false });
  if (members.isError) {
    return <ErrorNotice error={members.error} title="The members could not be loaded" onRetry={() => void members.refetch()} />;
  }
  if (members.data === undefined) return <TableSkeleton label="Loading members" />;
  const found = members.data;
  return (
    <Stack>
      {isKnown && !may.readMembers && (
        <Text size="sm" c="dimmed">
          You see yourself only: who else is here is for administrators and auditors.
        </Text>
      )}
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Box flex={1}>
          <SearchBox
            key={q}
            label="Search members"
            placeholder="Search: name, e-mail or role"
            q={q}
            onSearch={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
          />
        </Box>
        {may.addMembers && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={adding.open} style={{ flexShrink: 0 }}>
            Add
          </Button>
        )}
      </Group>
      {found.length === 0 ? (
        <EmptyState
          icon={<IconUsers size={24} />}
          title={q === '' ? 'No members to show' : 'Nobody matches'}
          action={
            q !== '' && (
              <Button variant="default" onClick={() => void navigate({ search: {} })}>
                Show all members
              </Button>
            )
          }
        >
          {q === ''
            ? 'Either nobody is in this organization, or you may not see who is.'
            : 'Every word must be in a name or an e-mail address, or name a role: organization-admin.'}
        </EmptyState>
      ) : (
        <PagedTable
          label="Members"
          isStale={members.isPlaceholderData}
          columns={[{ title: 'Name' }, ...(isNarrow ? [] : [{ title: 'Roles here' }]), { title: 'Site roles', from: 'md' }, ACTIONS]}
          rows={found}
          pageRows={PAGE_ROWS}
          page={page}
          noun={['member', 'members']}
          onPage={(next) => void navigate({ search: (known) => ({ ...known, page: next }) })}
          renderRow={(member) => (
            <MemberRow key={member.user_id} member={member} organization={organization} mayRemove={may.removeMembers} isNarrow={isNarrow} />
          )}
        />
      )}
      {found.length === MEMBERS_MAX && (
        <Text size="sm" c="dimmed">
          The first {MEMBERS_MAX.toLocaleString('en')} are shown. Search to find others.
        </Text>
      )}
      <AddMember organization={organization} members={members.data} isOpen={isAdding} onClose={adding.close} />
    </Stack>
  );
}

interface RowProps {
  readonly member: Member;
  readonly organization: Organization;
  readonly mayRemove: boolean;
}

function MemberRow({ member, organization, mayRemove, isNarrow }: RowProps & { readonly isNarrow: boolean }): React.JSX.Element {
  const [isEditing, editing] = useDisclosure(false);
  const roleNames = member.roles.map(({ name }) => name);
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td>
        <Person
          person={member}
          link={
            <Link to="/people/users/$user" params={{ user: member.username }} className={classes['link']}>
              {personName(member)}
            </Link>
          }
          detail={
            <>
              {member.username} · {member.email}
            </>
          }
          below={
            isNarrow &&
            member.roles.length > 0 && (
              <Group gap={4} mt={4}>
                <RoleBadges roles={member.roles} />
              </Group>
            )
          }
        />
      </Table.Td>
      {!isNarrow && (
        <Table.Td>
          <Group gap={4}>
            <RoleBadges roles={member.roles} />
          </Group>
        </Table.Td>
      )}
      <Table.Td visibleFrom="md">
        <Group gap={4}>
          {member.global_roles.map((role) => (
            <Badge key={role.name} color="gray">
              {organizationTitle(role)}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end" className={classes['actions']}>
          <MemberMenu member={member} organization={organization} mayRemove={mayRemove} onRoles={editing.open} />
        </Group>
        <MemberRoles
          member={{ user_id: member.user_id, username: member.username, roles: roleNames }}
          organization={organization}
          isOpen={isEditing}
          onClose={editing.close}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function RoleBadges({ roles }: { roles: Member['roles'] }): React.JSX.Element {
  if (roles.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Member
      </Text>
    );
  }
  return (
    <>
      {roles.map((role) => (
        <Badge key={role.name}>{organizationTitle(role)}</Badge>
      ))}
    </>
  );
}

function MemberMenu({ member, organization, mayRemove, onRoles }: RowProps & { readonly onRoles: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const isMe = useIsMe({ id: member.user_id });
  const title = organizationTitle(organization);
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${member.username} is no longer in ${title}.`);
        await Promise.all([
          queryClient.invalidateQueries(trpc.members.pathFilter()),
          queryClient.invalidateQueries(trpc.groups.pathFilter()),
          queryClient.invalidateQueries(trpc.users.pathFilter()),
        ]);
      },
      onError: (error) => notifyFailure(`${member.username} could not be removed`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Remove ${member.username} from ${title}?`,
      children: (
        <Text size="sm">
          They leave its groups and lose its templates at once. Their workspaces here stay, and are out of their reach until they are added
          again.
        </Text>
      ),
      labels: { confirm: 'Remove', cancel: 'Keep them' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => remove.mutate({ organization: organization.id, user: member.user_id }),
    });
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${member.username}`} loading={remove.isPending}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUserShield size={16} />} onClick={onRoles}>
          Roles…
        </Menu.Item>
        {mayRemove && (
          <Menu.Item color="red" leftSection={<IconUserMinus size={16} />} disabled={isMe} onClick={confirm}>
            {isMe ? 'Remove (not yourself)' : 'Remove…'}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
