import type { SavedSearch } from '@berth/api/contract/saved-searches';
import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { useDeleteSearch, useUpdateSearch } from './use-saved-searches.ts';

const NAME_LENGTH_MAX = 64;
const FIELDS = ['name'] as const;

/** Gives saved searches other names, or none at all. */
export function ManageSearches({ saved, onClose }: { saved: readonly SavedSearch[]; onClose: () => void }): React.JSX.Element {
  return (
    <Modal opened onClose={onClose} title="Your views" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        {saved.length === 0 && <Text c="dimmed">You keep no views any more.</Text>}
        {saved.map((search) => (
          <OneSearch key={search.id} search={search} />
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function OneSearch({ search }: { search: SavedSearch }): React.JSX.Element {
  const [name, setName] = useState(search.name);
  const update = useUpdateSearch();
  const remove = useDeleteSearch();
  const wanted = name.trim();
  const isOther = wanted !== '' && wanted !== search.name;
  const refused = update.isError ? formErrors(problemOf(update.error), FIELDS).errors['name'] : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isOther) update.mutate({ user: 'me', savedsearch: search.id, name: wanted });
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          aria-label={`Name of ${search.name}`}
          maxLength={NAME_LENGTH_MAX}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            update.reset();
          }}
          error={refused}
          style={{ flex: 1 }}
        />
        <Button type="submit" variant="default" disabled={!isOther} loading={update.isPending}>
          Rename
        </Button>
        <ActionIcon
          variant="light"
          color="red"
          size={36}
          aria-label={`Delete ${search.name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate({ user: 'me', savedsearch: search.id })}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <Refusal error={update.error} fields={FIELDS} />
      <Refusal error={remove.error} />
    </form>
  );
}
