import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { useWorkspaceChange } from './use-workspace-change.ts';

const HOUR_MS = 3_600_000;

interface Props {
  readonly workspace: Workspace;
  readonly deadline: string;
  readonly maxDeadline: string | null;
}

/** Puts off when a running workspace stops: by an hour, or to a time. */
export function ExtendDeadline({ workspace, deadline, maxDeadline }: Props): React.JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  const show = useWorkspaceChange(workspace);
  const extend = useMutation(
    trpc.workspaces.extend.mutationOptions({
      onSuccess: async (_answer, { deadline: next }) => {
        close();
        notifyDone(`It stops at ${exactTime(next)}.`);
        await show({ latest_build: { ...workspace.latest_build, deadline: next } });
      },
      onError: (error) => {
        if (!isOpen) notifyFailure('The time could not be extended', error);
      },
    }),
  );
  const oneHourMore = new Date(Math.min(Date.parse(deadline) + HOUR_MS, maxDeadline === null ? Infinity : Date.parse(maxDeadline)));
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={extend.isPending && !isOpen}
        disabled={oneHourMore.getTime() <= Date.parse(deadline)}
        onClick={() => extend.mutate({ workspace: workspace.id, deadline: oneHourMore.toISOString() })}
      >
        One hour more
      </Button>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          extend.reset();
          open();
        }}
      >
        Until…
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Let ${workspace.name} run until`} closeButtonProps={{ 'aria-label': 'Close' }}>
        <UntilForm
          deadline={deadline}
          maxDeadline={maxDeadline}
          isPending={extend.isPending}
          error={extend.error}
          onClose={close}
          onUntil={(until) => extend.mutate({ workspace: workspace.id, deadline: until })}
        />
      </Modal>
    </>
  );
}

interface FormProps extends Omit<Props, 'workspace'> {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onUntil: (deadline: string) => void;
}

function UntilForm({ deadline, maxDeadline, isPending, error, onClose, onUntil }: FormProps): React.JSX.Element {
  const [until, setUntil] = useState(() => localText(new Date(Date.parse(deadline) + 2 * HOUR_MS)));
  const at = new Date(until);
  const isSound = !Number.isNaN(at.getTime());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isSound) onUntil(at.toISOString());
      }}
    >
      <Stack>
        <Refusal error={error} />
        <TextInput
          type="datetime-local"
          label="Time"
          description="By your own clock."
          data-autofocus
          required
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        {maxDeadline !== null && (
          <Text size="sm" c="dimmed">
            Its template lets it run until {exactTime(maxDeadline)} at most.
          </Text>
        )}
        <FormActions submit="Extend" isPending={isPending} isDisabled={!isSound} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** An instant as the browser's own field for date and time has it: wall time without a zone. */
function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
