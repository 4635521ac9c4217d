import { Alert, Button, PasswordInput, Stack, TextInput, Title, useMantineColorScheme } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { COLOR_SCHEMES } from '../account/use-appearance.ts';
import { safeRedirect } from './safe-redirect.ts';
import { forgetSession, loadMe } from './session.ts';
import { SessionLayout } from './SessionLayout.tsx';

/** Signs in with e-mail and password, then goes where the visitor wanted to go. */
export function SignInPage(): React.JSX.Element {
  useDocumentTitle('Sign in · Berth');
  const search = useSearch({ from: '/login' });
  const { history } = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.trim() === '' ? 'Type your e-mail address.' : null),
      password: (value) => (value === '' ? 'Type your password.' : null),
    },
  });
  const signIn = useMutation(
    trpc.auth.login.mutationOptions({
      meta: { anonymous: true },
      onSuccess: async () => {
        forgetSession();
        const me = await loadMe();
        // The account's choice of light or dark comes along into this browser.
        const preferred = COLOR_SCHEMES.find(({ preference, value }) => value !== 'auto' && preference === (me?.theme_preference ?? ''));
        if (preferred !== undefined) setColorScheme(preferred.value);
        history.push(safeRedirect(search.redirect) ?? '/workspaces');
      },
    }),
  );
  return (
    <SessionLayout>
      <form onSubmit={form.onSubmit(({ email, password }) => signIn.mutate({ email: email.trim(), password }))} noValidate>
        <Stack>
          <Title order={1} size="h2">
            Sign in
          </Title>
          {signIn.isError ? (
            <Alert color="red" role="alert">
              {problemOf(signIn.error).message}
            </Alert>
          ) : (
            search.expired === true && <Alert color="yellow">Your session has ended. Sign in again to go on where you were.</Alert>
          )}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            inputMode="email"
            data-autofocus
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput label="Password" autoComplete="current-password" key={form.key('password')} {...form.getInputProps('password')} />
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </SessionLayout>
  );
}
