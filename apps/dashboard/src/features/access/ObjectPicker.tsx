import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { groupTitle } from '../groups/group-words.ts';
import { freeTextQuery } from '../users/free-text.ts';
import { personName } from '../users/user-words.ts';
import type { NamedType } from './question.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

const OPTIONS_MAX = 20;
const TYPING_PAUSE_MS = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const LABELS: Readonly<Record<NamedType, string>> = {
  workspace: 'Which workspace',
  template: 'Which template',
  user: 'Which user',
  group: 'Which group',
};

interface Props {
  readonly type: NamedType;
  readonly id: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Finds one workspace, template, user or group by name, or takes its id. */
export function ObjectPicker({ type, id, onChange }: Props): React.JSX.Element {
  const [text, setText] = useState('');
  // What was chosen keeps its name when the search goes on without it.
  const [chosen, setChosen] = useState<Option | undefined>();
  const [wanted] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const found = useOptions(type, wanted);
  const typedId = UUID.test(text.trim()) ? [{ value: text.trim().toLowerCase(), label: text.trim().toLowerCase() }] : [];
  const options = unique([...found, ...typedId, ...(id === undefined ? [] : [chosen?.value === id ? chosen : { value: id, label: id }])]);
  return (
    <Select
      label={LABELS[type]}
      placeholder="Name or id; none means any"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'None' }}
      data={options}
      limit={OPTIONS_MAX}
      nothingFoundMessage="Nothing matches."
      searchValue={text}
      onSearchChange={setText}
      value={id ?? null}
      onChange={(next) => {
        setChosen(options.find(({ value }) => value === next));
        onChange(next ?? undefined);
      }}
    />
  );
}

/** What may be chosen; the server narrows down what can be long. */
function useOptions(type: NamedType, text: string): Option[] {
  const name = text.replaceAll('"', '').trim();
  const workspaces = useQuery(
    trpc.workspaces.list.queryOptions(
      { q: name === '' || name.includes('/') ? '' : `name:"${name}"`, limit: OPTIONS_MAX },
      { enabled: type === 'workspace', placeholderData: keepPreviousData },
    ),
  );
  const users = useQuery(
    trpc.users.list.queryOptions(
      { q: freeTextQuery(text), limit: OPTIONS_MAX },
      { enabled: type === 'user', placeholderData: keepPreviousData },
    ),
  );
  const templates = useQuery(trpc.templates.list.queryOptions({}, { enabled: type === 'template' }));
  const groups = useQuery(trpc.groups.list.queryOptions({}, { enabled: type === 'group' }));
  switch (type) {
    case 'workspace':
      return (workspaces.data?.workspaces ?? []).map((one) => ({ value: one.id, label: `${one.owner_name}/${one.name}` }));
    case 'user':
      return (users.data?.users ?? []).map((one) => ({ value: one.id, label: `${personName(one)} (${one.username})` }));
    case 'template':
      return (templates.data ?? []).map((one) => ({ value: one.id, label: `${one.organization_name}/${one.name}` }));
    case 'group':
      return (groups.data ?? []).map((one) => ({ value: one.id, label: `${one.organization_name}/${groupTitle(one)}` }));
  }
}

function unique(options: readonly Option[]): Option[] {
  return [...new Map(options.toReversed().map((option) => [option.value, option])).values()].toReversed();
}
