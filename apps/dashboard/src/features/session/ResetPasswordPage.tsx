import { Anchor, Button, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem, passwordProblem } from '@berth/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../appearance/use-title.ts';
import { formErrors, problemOf } from '../../api/errors.ts';
import { client, trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { PasswordStrength } from './PasswordStrength.tsx';
import { forgetSession } from './session.ts';
import { SessionLayout } from './SessionLayout.tsx';

/** Sets a new password with a code that is sent by e-mail. */
export function ResetPasswordPage(): React.JSX.Element {
  useTitle('Reset your password');
  const methods = useQuery(trpc.auth.methods.queryOptions({}, { meta: { anonymous: true } }));
  const search = useSearch({ from: '/reset-password' });
  // The link in the mail names the address; whatever else stands there is nothing to be shown.
  const linked = search.email !== undefined && nameProblem('email', search.email) === null ? search.email : '';
  const [email, setEmail] = useState(linked);
  return (
    <SessionLayout>
      <Stack>
        <Title order={1} size="h2">
          Reset your password
        </Title>
        {methods.isError ? (
          <ErrorNotice error={methods.error} title="This is not possible right now" onRetry={() => void methods.refetch()} />
        ) : methods.data === undefined ? (
          <Skeleton height={140} role="status" aria-label="Loading" />
        ) : !methods.data.password_reset.enabled ? (
          <>
            <Text size="sm">This server sends no mail. Whoever runs it can set a new password for you.</Text>
            <ButtonLink to="/login" variant="default">
              Back to sign in
            </ButtonLink>
          </>
        ) : email === '' ? (
          <RequestCode onSent={setEmail} />
        ) : (
          <NewPassword email={email} hasMail={email === linked} onStartOver={() => setEmail('')} />
        )}
      </Stack>
    </SessionLayout>
  );
}

function RequestCode({ onSent }: { onSent: (email: string) => void }): React.JSX.Element {
  const form = useForm({ initialValues: { email: '' }, validate: { email: (value) => nameProblem('email', value.trim()) } });
  const request = useMutation(
    trpc.auth.requestPasscode.mutationOptions({
      meta: { anonymous: true },
      onSuccess: (_nothing, { email }) => onSent(email),
      onError: (error) => form.setErrors(formErrors(problemOf(error), ['email']).errors),
    }),
  );
  return (
    <form noValidate onSubmit={form.onSubmit(({ email }) => request.mutate({ email: email.trim() }))}>
      <Stack>
        <Text size="sm" c="dimmed">
          We send a code to your address. With it you choose a new password.
        </Text>
        <Refusal error={request.error} fields={['email']} />
        <TextInput label="E-mail" type="email" autoComplete="username" inputMode="email" autoFocus {...form.getInputProps('email')} />
        <Button type="submit" loading={request.isPending}>
          Send the code
        </Button>
        <AnchorLink to="/login" size="sm" ta="center">
          Back to sign in
        </AnchorLink>
      </Stack>
    </form>
  );
}

const FIELDS = ['one_time_passcode', 'password'] as const;

interface NewPasswordProps {
  readonly email: string;
  /** Whoever comes by the mail has it. */
  readonly hasMail: boolean;
  readonly onStartOver: () => void;
}

function NewPassword({ email, hasMail, onStartOver }: NewPasswordProps): React.JSX.Element {
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { one_time_passcode: '', password: '' },
    validateInputOnBlur: ['password'],
    validate: {
      one_time_passcode: (value) => (value.trim() === '' ? 'Copy the code from the mail.' : null),
      password: passwordProblem,
    },
  });
  const change = useMutation(
    trpc.auth.changePasswordWithPasscode.mutationOptions({
      meta: { anonymous: true },
      onSuccess: async (_nothing, { password }) => {
        forgetSession();
        notifyDone('Your new password is set.');
        // Who may not sign in that way after all, such as somebody suspended, reads why on the sign-in page.
        const isIn = await client.auth.login.mutate({ email, password }).then(
          () => true,
          () => false,
        );
        await navigate({ to: isIn ? '/workspaces' : '/login' });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ one_time_passcode, password }) =>
        change.mutate({ email, one_time_passcode: one_time_passcode.trim(), password }),
      )}
    >
      <Stack>
        <Text size="sm" role="status" className="wrap-anywhere">
          {hasMail
            ? `Enter the code from the mail to ${email}. It is good for 20 minutes.`
            : `If there is an account with ${email}, a mail with a code is on its way. It is good for 20 minutes.`}
        </Text>
        <Refusal error={change.error} fields={FIELDS} />
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <TextInput
          label="Code"
          description={hasMail ? undefined : 'From the mail. Look among the spam too.'}
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
          {...form.getInputProps('one_time_passcode')}
        />
        <div>
          <PasswordInput label="New password" autoComplete="new-password" {...form.getInputProps('password')} />
          <PasswordStrength password={form.values.password} />
        </div>
        <Text size="xs" c="dimmed">
          Every session and API token of yours ends with it.
        </Text>
        <Button type="submit" loading={change.isPending}>
          Set the password and sign in
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onStartOver}>
          Send another code
        </Anchor>
      </Stack>
    </form>
  );
}
