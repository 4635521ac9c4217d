import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { freeTextQuery } from './free-text.ts';
import type { User } from './user-words.ts';
import { personName } from './user-words.ts';

const OPTIONS_MAX = 20;
const TYPING_PAUSE_MS = 200;

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly value: User | null;
  readonly onChange: (user: User | null) => void;
  /** Ids of those who cannot be chosen. */
  readonly except?: ReadonlySet<string>;
  readonly error?: string | undefined;
}

/** Finds somebody by a part of their name, username or e-mail address. */
export function UserPicker({ value, onChange, except, ...input }: Props): React.JSX.Element {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const isChosen = value !== null && wanted === optionLabel(value);
  const found = useQuery(
    trpc.users.list.queryOptions({ q: isChosen ? '' : freeTextQuery(wanted), limit: OPTIONS_MAX }, { placeholderData: keepPreviousData }),
  );
  const users = (found.data?.users ?? []).filter(({ id }) => except?.has(id) !== true);
  const known = value === null || users.some(({ id }) => id === value.id) ? users : [value, ...users];
  return (
    <Select
      {...input}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Nobody' }}
      data={known.map((user) => ({ value: user.id, label: optionLabel(user) }))}
      // The server has searched already, in more than the label.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'Nobody matches.'}
      searchValue={text}
      onSearchChange={setText}
      value={value?.id ?? null}
      onChange={(id) => onChange(known.find((user) => user.id === id) ?? null)}
    />
  );
}

function optionLabel(user: User): string {
  return user.name === '' ? `${user.username} (${user.email})` : `${personName(user)} (${user.username})`;
}
