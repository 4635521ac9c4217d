import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { whileReplacingSession } from '../../api/session-expiry.ts';
import { client } from '../../api/trpc.ts';
import { notifyAfterReload } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { leaveSession } from '../session/leave-session.ts';
import { PasswordStrength } from '../session/PasswordStrength.tsx';
import type { Me } from '../session/session.ts';
import { Section } from './Section.tsx';

const FIELDS = ['old_password', 'password'] as const;

/** A new password in exchange for the old one. It ends every session, so this browser signs in again with it. */
export function ChangePassword({ me }: { me: Me }): React.JSX.Element {
  const form = useForm({
    initialValues: { old_password: '', password: '' },
    validateInputOnBlur: ['password'],
    validate: {
      old_password: (value) => (value === '' ? 'Type the password that you have now.' : null),
      password: (value, { old_password }) =>
        value !== '' && value === old_password ? 'This is the one you have.' : passwordProblem(value),
    },
  });
  const change = useMutation({
    mutationFn: ({ old_password, password }: { old_password: string; password: string }) =>
      whileReplacingSession(async () => {
        await client.users.updatePassword.mutate({ user: 'me', old_password, password });
        return await client.auth.login.mutate({ email: me.email, password }).then(
          () => true,
          () => false,
        );
      }),
    onSuccess: (isIn) => {
      if (!isIn) {
        leaveSession({ redirect: '/account/security' });
        return;
      }
      // Live updates authenticated with the session that has ended: a new document connects with the new one.
      notifyAfterReload('Your password is changed. All your other sessions and tokens have ended.');
      location.reload();
    },
    onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
  });
  return (
    <Section title="Password" description="A new one ends every other session and every API token of yours, at once.">
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw={440}>
          <Refusal error={change.error} fields={FIELDS} />
          <input type="hidden" autoComplete="username" value={me.email} readOnly />
          <PasswordInput label="Current password" autoComplete="current-password" {...form.getInputProps('old_password')} />
          <div>
            <PasswordInput label="New password" autoComplete="new-password" {...form.getInputProps('password')} />
            {form.values.password !== '' && <PasswordStrength password={form.values.password} />}
          </div>
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
