import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconKey, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { DeleteUser } from './DeleteUser.tsx';
import { ResetPassword } from './ResetPassword.tsx';
import { SuspendUser } from './SuspendUser.tsx';
import { useUserChange } from './use-user-change.ts';
import { useIsMe, useUserRights } from './use-user-rights.ts';
import type { User } from './user-words.ts';

/** Suspend or activate, reset the password, delete: what the signed-in person may do to an account. */
export function UserActions({ user }: { user: User }): React.JSX.Element | null {
  const { may } = useUserRights(user);
  const isMe = useIsMe(user);
  const show = useUserChange();
  const [isSuspending, suspension] = useDisclosure(false);
  const [isResetting, reset] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const activate = useMutation(
    trpc.users.activate.mutationOptions({
      onSuccess: async (saved) => {
        await show(saved);
        notifyDone(`${saved.username} may sign in again.`);
      },
      onError: (error) => notifyFailure(`${user.username} could not be activated`, error),
    }),
  );
  const mayReset = may.updateProfile && !isMe && user.login_type === 'password';
  if (!may.update && !may.delete && !mayReset) return null;
  return (
    <>
      {may.update &&
        (user.status === 'suspended' ? (
          <Button leftSection={<IconLockOpen size={16} />} loading={activate.isPending} onClick={() => activate.mutate({ user: user.id })}>
            Activate
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconLock size={16} />}
            disabled={isMe}
            title={isMe ? 'You cannot suspend your own account.' : undefined}
            onClick={suspension.open}
          >
            Suspend…
          </Button>
        ))}
      {(mayReset || may.delete) && (
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayReset && (
              <Menu.Item leftSection={<IconKey size={16} />} onClick={reset.open}>
                Set a new password…
              </Menu.Item>
            )}
            {may.delete && (
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} disabled={isMe} onClick={deletion.open}>
                {isMe ? 'Delete (not your own account)' : 'Delete…'}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <SuspendUser user={user} isOpen={isSuspending} onClose={suspension.close} />
      <ResetPassword user={user} isOpen={isResetting} onClose={reset.close} />
      <DeleteUser user={user} isOpen={isDeleting} onClose={deletion.close} />
    </>
  );
}
