import { ActionIcon, Badge, Box, Group as Row, Select, Skeleton, Stack, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { IconUserMinus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Section } from '../account/Section.tsx';
import { groupTitle, isEveryone, memberCount } from '../groups/group-words.ts';
import { Person } from '../users/Person.tsx';
import { personName } from '../users/user-words.ts';
import { AddAccess } from './AddAccess.tsx';
import type { GivenRole } from './use-acl-change.ts';
import { useAclChange } from './use-acl-change.ts';

const ROLES = [
  { value: 'use', label: 'Use' },
  { value: 'admin', label: 'Administer' },
] as const;

/** Who may use a template, and who may change it, beside those whose roles say so. */
export function PermissionsTab({ template }: { template: Template }): React.JSX.Element {
  const acl = useQuery(trpc.templates.acl.queryOptions({ template: template.id }));
  const change = useAclChange(template);
  if (acl.isError) return <ErrorNotice error={acl.error} title="The permissions could not be loaded" onRetry={() => void acl.refetch()} />;
  if (acl.data === undefined) return <Skeleton height={260} radius="md" />;
  const { users, group: groups } = acl.data;
  return (
    <Section
      title="Who may use it"
      description="“Use” makes workspaces from the template; “Administer” changes, shares and deletes it too. Template administrators may both without standing here."
    >
      <AddAccess template={template} isPending={change.isPending} onAdd={change.give} />
      {users.length + groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody was given access. Only people whose roles say so can use this template.
        </Text>
      ) : (
        <Box mx="calc(-1 * var(--mantine-spacing-lg))" style={{ overflow: 'hidden' }}>
          <Table horizontalSpacing="lg" verticalSpacing="sm" aria-label="Permissions">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Who</Table.Th>
                <Table.Th w={150}>May</Table.Th>
                <Table.Th w={60}>
                  <VisuallyHidden>Remove</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {groups.map((group) => (
                <AccessRow
                  key={group.id}
                  name={isEveryone(group) ? 'everyone' : group.name}
                  role={group.role}
                  isPending={change.pendingId === group.id}
                  onRole={(role) => change.give({ kind: 'group', id: group.id, role })}
                >
                  <Row gap="sm" wrap="nowrap">
                    <Box component={IconUsersGroup} size={24} aria-hidden style={{ flexShrink: 0 }} visibleFrom="xs" />
                    {/* No narrower: short names must not break within a word. */}
                    <Stack gap={0} miw={88}>
                      <Row gap={6}>
                        <Text size="sm" fw={600} className="wrap-anywhere">
                          {groupTitle(group)}
                        </Text>
                        {isEveryone(group) && (
                          <Badge color="gray" visibleFrom="xs">
                            All members
                          </Badge>
                        )}
                      </Row>
                      <Text size="xs" c="dimmed">
                        {memberCount(group)}
                      </Text>
                    </Stack>
                  </Row>
                </AccessRow>
              ))}
              {users.map((user) => (
                <AccessRow
                  key={user.id}
                  name={user.username}
                  role={user.role}
                  isPending={change.pendingId === user.id}
                  onRole={(role) => change.give({ kind: 'user', id: user.id, role })}
                >
                  <Person person={user} detail={personName(user) === user.username ? user.email : `${user.username} · ${user.email}`} />
                </AccessRow>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </Section>
  );
}

interface RowProps {
  readonly name: string;
  readonly role: GivenRole;
  readonly isPending: boolean;
  readonly onRole: (role: GivenRole) => void;
  readonly children: React.ReactNode;
}

function AccessRow({ name, role, isPending, onRole, children }: RowProps): React.JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>{children}</Table.Td>
      <Table.Td>
        <Select
          size="xs"
          miw={92}
          aria-label={`What ${name} may do`}
          data={[...ROLES]}
          allowDeselect={false}
          disabled={isPending}
          value={role}
          onChange={(next) => {
            const chosen = ROLES.find(({ value }) => value === next)?.value;
            if (chosen !== undefined && chosen !== role) onRole(chosen);
          }}
        />
      </Table.Td>
      <Table.Td ta="right">
        <Tooltip label={`Take the access from ${name}`}>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Take the access from ${name}`}
            loading={isPending}
            onClick={() => onRole('')}
          >
            <IconUserMinus size={16} />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}
