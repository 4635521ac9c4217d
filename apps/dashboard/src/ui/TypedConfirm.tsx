import { Button, Code, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Refusal } from './Refusal.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** "Delete ada". */
  readonly title: string;
  /** What has to be typed. */
  readonly name: string;
  /** What goes with it, and that there is no way back. */
  readonly children: React.ReactNode;
  /** On the button: "Delete user". */
  readonly action: string;
  readonly isPending: boolean;
  /** Why it was refused, or null. */
  readonly error: unknown;
  readonly onConfirm: () => void;
}

/** Asks for the name of what is to be deleted for good; a refusal is shown where it was asked. */
export function TypedConfirm({ isOpen, onClose, title, ...form }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <TypedForm onClose={onClose} {...form} />
    </Modal>
  );
}

function TypedForm({ name, children, action, isPending, error, onClose, onConfirm }: Omit<Props, 'isOpen' | 'title'>): React.JSX.Element {
  const [typed, setTyped] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === name) onConfirm();
      }}
    >
      <fieldset disabled={isPending} style={{ margin: 0, padding: 0, border: 0 }}>
        <Stack>
          {children}
          <Refusal error={error} />
          <TextInput
            label={
              <>
                Type <Code>{name}</Code> to confirm
              </>
            }
            aria-label={`Type ${name} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Keep it
            </Button>
            <Button type="submit" color="red.8" disabled={typed !== name} loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </fieldset>
    </form>
  );
}
