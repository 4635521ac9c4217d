import { ActionIcon, Box, Button, Group as Row, MultiSelect, Pagination, Stack, Table, Text, Tooltip } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { Section } from '../account/Section.tsx';
import { Person } from '../users/Person.tsx';
import { personName } from '../users/user-words.ts';
import type { Group } from './group-words.ts';
import { memberCount } from './group-words.ts';

const PAGE_ROWS = 25;
const OPTIONS_MAX = 50;
const TYPING_PAUSE_MS = 200;

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Who is in a group. */
export function GroupMembers({ group, mayChange }: { group: Group; mayChange: boolean }): React.JSX.Element {
  const [page, setPage] = useState(1);
  const change = useMembershipChange(group);
  const pages = Math.ceil(group.members.length / PAGE_ROWS);
  return (
    <Section title="Members" description={memberCount(group)}>
      {mayChange && <AddMembers group={group} change={change} />}
      {group.members.length > 0 && (
        <Box mx="calc(-1 * var(--mantine-spacing-lg))" style={{ overflow: 'hidden' }}>
          <Table horizontalSpacing="lg" verticalSpacing="sm" aria-label="Members">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                {mayChange && (
                  <Table.Th w={60} ta="right">
                    Remove
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {group.members.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((member) => (
                <Table.Tr key={member.id}>
                  <Table.Td>
                    <Person
                      person={member}
                      link={
                        <AnchorLink
                          size="sm"
                          fw={600}
                          to="/people/users/$user"
                          params={{ user: member.username }}
                          className="wrap-anywhere"
                        >
                          {personName(member)}
                        </AnchorLink>
                      }
                      detail={`${member.username} · ${member.email}`}
                    />
                  </Table.Td>
                  {mayChange && (
                    <Table.Td ta="right">
                      <Tooltip label={`Remove ${member.username}`}>
                        <ActionIcon
                          variant="subtle"
                          color="red"
                          aria-label={`Remove ${member.username}`}
                          loading={change.isPending && change.variables?.remove_users?.[0] === member.id}
                          onClick={() => change.mutate({ group: group.id, remove_users: [member.id] })}
                        >
                          <IconUserMinus size={16} />
                        </ActionIcon>
                      </Tooltip>
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
      {group.total_member_count === 0 && !mayChange && (
        <Text size="sm" c="dimmed">
          Nobody is in this group.
        </Text>
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          size="sm"
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
          getControlProps={(control) => ({ 'aria-label': `${control[0]?.toUpperCase() ?? ''}${control.slice(1)} page` })}
        />
      )}
    </Section>
  );
}

type Change = ReturnType<typeof useMembershipChange>;

function useMembershipChange(group: Group) {
  const queryClient = useQueryClient();
  return useMutation(
    trpc.groups.update.mutationOptions({
      onSuccess: async (saved, { add_users: added }) => {
        queryClient.setQueryData(trpc.groups.getByName.queryKey({ organization: group.organization_name, groupName: saved.name }), saved);
        notifyDone(
          added === undefined
            ? 'Removed from the group.'
            : added.length === 1
              ? 'Added to the group.'
              : `${added.length} added to the group.`,
        );
        await queryClient.invalidateQueries(trpc.groups.pathFilter());
      },
      onError: (error) => notifyFailure('The members could not be changed', error),
    }),
  );
}

function AddMembers({ group, change }: { group: Group; change: Change }): React.JSX.Element {
  const [chosen, setChosen] = useState<readonly Option[]>([]);
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const members = useQuery(
    trpc.members.list.queryOptions(
      { organization: group.organization_id, q: wanted, limit: OPTIONS_MAX },
      { placeholderData: keepPreviousData },
    ),
  );
  const inside = new Set(group.members.map(({ id }) => id));
  const found = (members.data ?? [])
    .filter((member) => !inside.has(member.user_id))
    .map((member): Option => ({ value: member.user_id, label: `${personName(member)} (${member.username})` }));
  // Who is chosen stays known while others are searched for.
  const options = [...chosen, ...found.filter(({ value }) => !chosen.some((one) => one.value === value))];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length === 0) return;
        change.mutate({ group: group.id, add_users: chosen.map(({ value }) => value) }, { onSuccess: () => setChosen([]) });
      }}
    >
      <Stack gap="xs">
        <Row gap="xs" align="flex-end" wrap="nowrap">
          <MultiSelect
            label="Add members of the organization"
            placeholder={chosen.length === 0 ? 'Name or username' : undefined}
            data={options}
            // The server has searched already, in more than the label.
            filter={({ options: all }) => all}
            searchable
            searchValue={text}
            onSearchChange={setText}
            hidePickedOptions
            nothingFoundMessage={
              members.isFetching ? 'Searching…' : wanted === '' ? 'Every member is in this group.' : 'Nobody else matches.'
            }
            value={chosen.map(({ value }) => value)}
            onChange={(values) => setChosen(options.filter(({ value }) => values.includes(value)))}
            flex={1}
            maw={480}
            miw={0}
          />
          <Button type="submit" variant="default" disabled={chosen.length === 0} loading={change.isPending}>
            Add
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
