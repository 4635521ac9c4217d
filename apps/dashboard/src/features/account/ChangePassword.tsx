import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { client, trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { PasswordStrength } from '../session/PasswordStrength.tsx';
import type { Me } from '../session/session.ts';
import { forgetSession } from '../session/session.ts';
import { Section } from './Section.tsx';

const FIELDS = ['old_password', 'password'] as const;

/** A new password in exchange for the old one. It ends every session, so this one begins anew with it. */
export function ChangePassword({ me }: { me: Me }): React.JSX.Element {
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { old_password: '', password: '' },
    validateInputOnBlur: ['password'],
    validate: {
      old_password: (value) => (value === '' ? 'Type the password that you have now.' : null),
      password: (value, { old_password }) =>
        value !== '' && value === old_password ? 'This is the one you have.' : passwordProblem(value),
    },
  });
  const change = useMutation(
    trpc.users.updatePassword.mutationOptions({
      onSuccess: async (_nothing, { password }) => {
        const isIn = await client.auth.login.mutate({ email: me.email, password }).then(
          () => true,
          () => false,
        );
        form.reset();
        forgetSession();
        notifyDone('Your password is changed. Everything else that was signed in as you is out.');
        if (!isIn) await navigate({ to: '/login', search: { redirect: '/account/security' } });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  return (
    <Section title="Password" description="A new one ends every other session and every API token of yours, at once.">
      <form noValidate onSubmit={form.onSubmit(({ old_password, password }) => change.mutate({ user: 'me', old_password, password }))}>
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
