import { Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { UserPicker } from '../users/UserPicker.tsx';
import type { User } from '../users/user-words.ts';
import type { Organization } from './organization-words.ts';
import { organizationTitle } from './organization-words.ts';

interface Props {
  readonly organization: Organization;
  readonly members: readonly { readonly user_id: string }[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Takes an account that exists into an organization. */
export function AddMember({ organization, members, isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`Add to ${organizationTitle(organization)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <AddForm organization={organization} members={members} onClose={onClose} />
    </Modal>
  );
}

function AddForm({ organization, members, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const queryClient = useQueryClient();
  const [user, setUser] = useState<User | null>(null);
  const add = useMutation(
    trpc.members.add.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${user?.username ?? 'The account'} is a member now.`);
        onClose();
        await Promise.all([
          queryClient.invalidateQueries(trpc.members.pathFilter()),
          queryClient.invalidateQueries(trpc.groups.pathFilter()),
          queryClient.invalidateQueries(trpc.users.pathFilter()),
        ]);
      },
    }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (user !== null) add.mutate({ organization: organization.id, user: user.id });
      }}
    >
      <Stack>
        <Refusal error={add.error} />
        <UserPicker
          label="Who"
          placeholder="Name, username or e-mail"
          value={user}
          onChange={setUser}
          except={new Set(members.map((member) => member.user_id))}
        />
        <Text size="sm" c="dimmed">
          They become a plain member. Roles and groups are given afterwards.
        </Text>
        <FormActions submit="Add member" isPending={add.isPending} onCancel={onClose} isDisabled={user === null} />
      </Stack>
    </form>
  );
}
