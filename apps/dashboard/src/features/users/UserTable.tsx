import { Badge, Box, Group, Table, Text, useMatches } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from '../../ui/rows.module.css';
import { When } from '../../ui/When.tsx';
import { Person } from './Person.tsx';
import { UserStatusBadge } from './UserStatusBadge.tsx';
import type { User } from './user-words.ts';
import { loginTypeWords, personName } from './user-words.ts';

/** `isStale`: the rows of another page or search, shown until the new ones are here. */
export function UserTable({ users, isStale }: { users: readonly User[]; isStale: boolean }): React.JSX.Element {
  const isNarrow = useMatches({ base: true, xs: false });
  return (
    <Box className="surface" style={{ opacity: isStale ? 0.6 : 1, overflow: 'hidden' }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Users">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            {!isNarrow && <Table.Th>Status</Table.Th>}
            <Table.Th visibleFrom="md">Site roles</Table.Th>
            <Table.Th visibleFrom="lg">Signs in with</Table.Th>
            <Table.Th visibleFrom="sm">Last seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} isNarrow={isNarrow} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function UserRow({ user, isNarrow }: { user: User; isNarrow: boolean }): React.JSX.Element {
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td>
        <Person
          person={user}
          link={
            <Link to="/people/users/$user" params={{ user: user.username }} className={classes['link']}>
              {personName(user)}
            </Link>
          }
          detail={
            <>
              {user.username} · {user.email}
            </>
          }
          below={
            isNarrow && (
              <Group gap={6} mt={4}>
                <UserStatusBadge status={user.status} />
                <Roles user={user} />
              </Group>
            )
          }
        />
      </Table.Td>
      {!isNarrow && (
        <Table.Td>
          <UserStatusBadge status={user.status} />
        </Table.Td>
      )}
      <Table.Td visibleFrom="md">
        {user.roles.length === 0 ? (
          <Text size="sm" c="dimmed">
            Member
          </Text>
        ) : (
          <Group gap={4}>
            <Roles user={user} />
          </Group>
        )}
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm">{loginTypeWords(user.login_type)}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">
          <When at={user.last_seen_at} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Roles({ user }: { user: User }): React.JSX.Element {
  return (
    <>
      {user.roles.map((role) => (
        <Badge key={role.name} color="harbour">
          {role.display_name === '' ? role.name : role.display_name}
        </Badge>
      ))}
    </>
  );
}
