import { SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { SettingsForm } from '../account/SettingsForm.tsx';
import { useUserChange } from './use-user-change.ts';
import type { User } from './user-words.ts';

const FIELDS = ['username', 'name'] as const;

/** What an account is called. */
export function ProfileForm({ user, mayChange }: { user: User; mayChange: boolean }): React.JSX.Element {
  const navigate = useNavigate();
  const show = useUserChange();
  const form = useForm({
    initialValues: { username: user.username, name: user.name },
    validateInputOnBlur: true,
    validate: { username: (value) => nameProblem('name', value), name: (value) => nameProblem('real_name', value.trim()) },
  });
  const save = useMutation(
    trpc.users.updateProfile.mutationOptions({
      onSuccess: async (saved) => {
        await show(saved);
        form.resetDirty();
        notifyDone('The profile is saved.');
        if (saved.username !== user.username) {
          await navigate({ to: '/people/users/$user', params: { user: saved.username }, replace: true, ignoreBlocker: true });
        }
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  return (
    <SettingsForm
      title="Profile"
      error={save.error}
      fields={FIELDS}
      isDirty={form.isDirty()}
      isPending={save.isPending}
      maySave={mayChange}
      onSubmit={form.onSubmit(({ username, name }) => save.mutate({ user: user.id, username, name: name.trim() }))}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Username"
          description="Part of their workspaces’ addresses: a new one changes those."
          readOnly={!mayChange}
          {...form.getInputProps('username')}
        />
        <TextInput label="Name" description="What people call them." readOnly={!mayChange} {...form.getInputProps('name')} />
      </SimpleGrid>
    </SettingsForm>
  );
}
