import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { SavedSearchPage } from '@berth/domain';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { useSaveSearch } from './use-saved-searches.ts';

const NAME_LENGTH_MAX = 64;
const FIELDS = ['name'] as const;

interface Props {
  readonly page: SavedSearchPage;
  readonly address: string;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Keeps what is shown now under a name. */
export function SaveSearch({ page, address, onClose, onSaved }: Props): React.JSX.Element {
  const [name, setName] = useState('');
  const save = useSaveSearch();
  const wanted = name.trim();
  const refused = save.isError ? formErrors(problemOf(save.error), FIELDS).errors['name'] : undefined;
  return (
    <Modal opened onClose={onClose} title="Save this view" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted === '') return;
          save.mutate(
            { user: 'me', page, name: wanted, address },
            {
              onSuccess: ({ id }) => {
                onSaved(id);
                notifyDone(`“${wanted}” is among your views.`);
                onClose();
              },
            },
          );
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="Only you see it, in every browser in which you sign in."
            data-autofocus
            maxLength={NAME_LENGTH_MAX}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              save.reset();
            }}
            error={refused}
          />
          <Text size="sm" c="dimmed" className="wrap-anywhere">
            It brings back <Code>?{decodeURIComponent(address.replaceAll('+', ' '))}</Code>
          </Text>
          <Refusal error={save.error} fields={FIELDS} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={wanted === ''} loading={save.isPending}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
