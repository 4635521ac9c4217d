import { Alert, Code, Modal, Select, Stack, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { DurationInput } from '../../ui/DurationInput.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { APP_HOST_SETTING, useAppHost } from '../agents/use-app-host.ts';
import { agentsOf } from '../workspaces/situation.ts';
import { RecipientInput } from './RecipientInput.tsx';
import type { Recipient } from './recipients.ts';
import type { WatchedTerminal } from './share-words.ts';
import { SHARE_MS_MAX, SHARE_SPANS, shareableThings } from './share-words.ts';

interface Props {
  readonly workspace: Workspace;
  /** The terminal that it is asked from; it can be watched then. */
  readonly terminal?: WatchedTerminal | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shares a part of a workspace with somebody for a time. */
export function ShareDialog({ isOpen, onClose, workspace, terminal }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Share ${workspace.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <ShareForm workspace={workspace} terminal={terminal} onClose={onClose} />
    </Modal>
  );
}

const FIELDS = ['user', 'group_id', 'duration_seconds', 'expires_at'] as const;
const HOUR_MS = 3_600_000;

function ShareForm({ workspace, terminal, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const queryClient = useQueryClient();
  const host = useAppHost();
  const things = shareableThings({ agents: agentsOf(workspace.latest_build), hasAppHost: host !== '', terminal });
  const [who, setWho] = useState('');
  const [recipient, setRecipient] = useState<Recipient['input']>();
  const [chosen, setChosen] = useState<string>();
  const [span, setSpan] = useState<string>('14400');
  const [customMs, setCustomMs] = useState(8 * HOUR_MS);
  const thing = things.find(({ value }) => value === chosen) ?? things[0];
  const seconds = span === 'custom' ? Math.round(customMs / 1000) : Number(span);
  const create = useMutation(
    trpc.workspaceShares.create.mutationOptions({
      onSuccess: async ({ recipient: { display_name: title, name } }) => {
        notifyDone(`Shared with ${title === '' ? name : title}. It stands under “Shared with me” there.`);
        onClose();
        await queryClient.invalidateQueries(trpc.workspaceShares.list.pathFilter());
      },
    }),
  );
  const errors = create.error === null ? {} : formErrors(problemOf(create.error), FIELDS).errors;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (recipient === undefined || thing === undefined) return;
        create.mutate({ workspace: workspace.id, ...recipient, ...thing.input, duration_seconds: seconds });
      }}
    >
      <Stack>
        <Refusal error={create.error} fields={FIELDS} />
        <RecipientInput
          workspace={workspace}
          text={who}
          onChange={(text, next) => {
            setWho(text);
            setRecipient(next);
            create.reset();
          }}
          error={errors['user'] ?? errors['group_id']}
        />
        <Select
          label="What"
          allowDeselect={false}
          data={things.map(({ value, label }) => ({ value, label }))}
          value={thing?.value ?? null}
          onChange={(value) => setChosen(value ?? undefined)}
        />
        {thing?.input.access === 'terminal' && (
          <Alert color="orange" p="sm">
            In a terminal they can read and change everything in the workspace, as you would.
          </Alert>
        )}
        {host === '' && (
          <Text size="sm" c="dimmed">
            Apps cannot be shared here: they need hosts of their own, which <Code>{APP_HOST_SETTING}</Code> gives to a server.
          </Text>
        )}
        <Select
          label="For how long"
          allowDeselect={false}
          data={[...SHARE_SPANS]}
          value={span}
          error={span === 'custom' ? undefined : errors['duration_seconds']}
          onChange={(value) => setSpan(value ?? span)}
        />
        {span === 'custom' && (
          <DurationInput
            label="It ends after"
            description="From a minute to 30 days."
            value={customMs}
            onChange={(ms) => setCustomMs(Math.min(ms, SHARE_MS_MAX))}
            error={errors['duration_seconds']}
          />
        )}
        <Text size="sm" c="dimmed">
          You can end it at any time. They get nothing else: no logs, no settings, no other workspace.
        </Text>
        <FormActions submit="Share" isPending={create.isPending} onCancel={onClose} isDisabled={recipient === undefined || seconds < 60} />
      </Stack>
    </form>
  );
}
