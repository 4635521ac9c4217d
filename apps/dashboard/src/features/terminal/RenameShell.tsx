import { Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormActions } from '../../ui/FormActions.tsx';
import { SHELL_NAME_MAX } from './shells.ts';

interface Props {
  /** The name that it has; undefined while nothing is renamed. */
  readonly name: string | undefined;
  readonly onRename: (name: string) => void;
  readonly onClose: () => void;
}

/** Gives a terminal a name of its own, or takes it away. */
export function RenameShell({ name, onRename, onClose }: Props): React.JSX.Element {
  return (
    <Modal opened={name !== undefined} onClose={onClose} title="Rename terminal" closeButtonProps={{ 'aria-label': 'Close' }}>
      <RenameForm name={name ?? ''} onRename={onRename} onClose={onClose} />
    </Modal>
  );
}

function RenameForm({ name, onRename, onClose }: { name: string } & Omit<Props, 'name'>): React.JSX.Element {
  const [typed, setTyped] = useState(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRename(typed);
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Empty for the title that the program in it sets."
          maxLength={SHELL_NAME_MAX}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        <FormActions submit="Rename" isPending={false} onCancel={onClose} />
      </Stack>
    </form>
  );
}
