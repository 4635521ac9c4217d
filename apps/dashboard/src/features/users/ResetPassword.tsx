import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { PasswordStrength } from '../session/PasswordStrength.tsx';
import { madePassword, secretRandom } from './made-password.ts';
import type { User } from './user-words.ts';

interface Props {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Gives somebody else's account a new password. */
export function ResetPassword({ user, isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`New password for ${user.username}`}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ResetForm user={user} onClose={onClose} />
    </Modal>
  );
}

function ResetForm({ user, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const form = useForm({ initialValues: { password: '' }, validate: { password: passwordProblem } });
  const reset = useMutation(
    trpc.users.updatePassword.mutationOptions({
      onError: (error) => form.setErrors(formErrors(problemOf(error), ['password']).errors),
    }),
  );
  if (reset.isSuccess) {
    return (
      <SecretOnce secret={form.values.password} noun="password" onDone={onClose}>
        Hand it to {user.username} on a safe way. Their other sessions have ended.
      </SecretOnce>
    );
  }
  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => reset.mutate({ user: user.id, password }))}>
      <Stack>
        <Text size="sm">Everything that is signed in as {user.username} is signed out, and the old password no longer works.</Text>
        <Refusal error={reset.error} fields={['password']} />
        <div>
          <PasswordInput label="New password" autoComplete="new-password" data-autofocus required {...form.getInputProps('password')} />
          <PasswordStrength password={form.values.password} />
          <Button size="compact-xs" variant="subtle" mt={4} onClick={() => form.setFieldValue('password', madePassword(secretRandom))}>
            Make one up
          </Button>
        </div>
        <FormActions submit="Set password" isPending={reset.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
