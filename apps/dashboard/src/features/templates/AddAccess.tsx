import { Button, Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Template } from '@berth/api/contract/templates';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { groupTitle } from '../groups/group-words.ts';
import { personName } from '../users/user-words.ts';
import type { Grant } from './use-acl-change.ts';

const OPTIONS_MAX = 20;
const TYPING_PAUSE_MS = 200;

interface Props {
  readonly template: Template;
  readonly isPending: boolean;
  readonly onAdd: (grant: Grant) => void;
}

/** Finds a member or a group of the organization by a part of the name, and gives them a role. */
export function AddAccess({ template, isPending, onAdd }: Props): React.JSX.Element {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [role, setRole] = useState<'use' | 'admin'>('use');
  const [q] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const found = useQuery(
    trpc.templates.aclAvailable.queryOptions(
      { template: template.id, limit: OPTIONS_MAX, ...(q === '' || chosen !== null ? {} : { q }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const available = found.data?.[0];
  const groups = (available?.groups ?? []).map((group) => ({ value: `group:${group.id}`, label: groupTitle(group) }));
  const users = (available?.users ?? []).map((user) => ({
    value: `user:${user.id}`,
    label: personName(user) === user.username ? user.username : `${personName(user)} (${user.username})`,
  }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const [kind, id] = chosen?.split(':') ?? [];
        if (id === undefined || (kind !== 'user' && kind !== 'group')) return;
        onAdd({ kind, id, role });
        setChosen(null);
        setText('');
      }}
    >
      <Group align="flex-end" gap="sm">
        <Select
          flex="1 1 220px"
          label="User or group"
          placeholder="Type a part of the name"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Nobody' }}
          data={[
            { group: 'Groups', items: groups },
            { group: 'Users', items: users },
          ]}
          // The server has searched already, in more than the label.
          filter={({ options }) => options}
          nothingFoundMessage={found.isFetching ? 'Searching…' : 'Nobody matches.'}
          searchValue={text}
          onSearchChange={setText}
          value={chosen}
          onChange={setChosen}
        />
        <Select
          w={140}
          label="May"
          allowDeselect={false}
          data={[
            { value: 'use', label: 'Use' },
            { value: 'admin', label: 'Administer' },
          ]}
          value={role}
          onChange={(next) => setRole(next === 'admin' ? 'admin' : 'use')}
        />
        <Button type="submit" disabled={chosen === null} loading={isPending}>
          Give access
        </Button>
      </Group>
    </form>
  );
}
