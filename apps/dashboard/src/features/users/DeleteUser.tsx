import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import type { User } from './user-words.ts';

interface Props {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Deletes an account once its name was typed. The server says what stands in the way. */
export function DeleteUser({ user, isOpen, onClose }: Props): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.users.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${user.username} is deleted.`);
        await navigate({ to: '/people/users' });
        queryClient.removeQueries(trpc.users.get.queryFilter({ user: user.username }));
        await queryClient.invalidateQueries(trpc.users.list.pathFilter());
      },
    }),
  );
  return (
    <TypedConfirm
      isOpen={isOpen}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Delete ${user.username}`}
      name={user.username}
      action="Delete user"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ user: user.id })}
    >
      <Text size="sm">
        Every session and token ends, and every link to a sign-on provider goes. What they did stays in the audit log. Their workspaces have
        to be deleted first. This cannot be undone.
      </Text>
    </TypedConfirm>
  );
}
