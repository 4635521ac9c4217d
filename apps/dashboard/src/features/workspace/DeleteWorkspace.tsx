import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useState } from 'react';
import { useBuildAction } from '../workspaces/use-build-action.ts';

interface Props {
  readonly workspace: Workspace;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Deletes a workspace once its name was typed: there is no way back. */
export function DeleteWorkspace({ workspace, isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Delete ${workspace.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <DeleteForm workspace={workspace} onClose={onClose} />
    </Modal>
  );
}

function DeleteForm({ workspace, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const [typed, setTyped] = useState('');
  const [orphan, setOrphan] = useState(false);
  const action = useBuildAction();
  const { status, transition } = workspace.latest_build;
  const isStuck = transition === 'delete' && (status === 'failed' || status === 'canceled');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === workspace.name) action.mutate({ workspace, transition: 'delete', orphan }, { onSuccess: onClose });
      }}
    >
      <fieldset disabled={action.isPending} style={{ margin: 0, padding: 0, border: 0 }}>
        <Stack>
          <Text size="sm">Everything in this workspace goes with it, its files included. This cannot be undone.</Text>
          {isStuck && (
            <Alert color="orange">
              <Checkbox
                label="Forget the resources instead of destroying them"
                description="For when deleting keeps failing. What is left over has to be removed by hand. Needs the right to change the template."
                checked={orphan}
                onChange={(event) => setOrphan(event.currentTarget.checked)}
              />
            </Alert>
          )}
          <TextInput
            label={
              <>
                Type <Code>{workspace.name}</Code> to confirm
              </>
            }
            aria-label={`Type ${workspace.name} to confirm`}
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
            <Button type="submit" color="red.8" disabled={typed !== workspace.name} loading={action.isPending}>
              Delete workspace
            </Button>
          </Group>
        </Stack>
      </fieldset>
    </form>
  );
}
