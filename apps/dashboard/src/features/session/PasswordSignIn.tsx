import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput, useMantineColorScheme } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { COLOR_SCHEMES } from '../account/use-appearance.ts';
import { forgetSession, loadMe } from './session.ts';

interface Props {
  /** A path of this site. */
  readonly redirect: string;
  readonly mayReset: boolean;
  /** Whether typing may begin at once: not where another way in comes first. */
  readonly hasFocus: boolean;
}

/** Signs in with e-mail and password, then goes where the visitor wanted to go. */
export function PasswordSignIn({ redirect, mayReset, hasFocus }: Props): React.JSX.Element {
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
        history.push(redirect);
      },
    }),
  );
  const problem = signIn.isError ? problemOf(signIn.error) : undefined;
  return (
    <form onSubmit={form.onSubmit(({ email, password }) => signIn.mutate({ email: email.trim(), password }))} noValidate>
      <Stack>
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem.message} {problem.detail}
          </Alert>
        )}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoFocus={hasFocus}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput label="Password" autoComplete="current-password" key={form.key('password')} {...form.getInputProps('password')} />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
        {mayReset ? (
          <Group justify="center">
            <AnchorLink to="/reset-password" size="sm">
              Forgot your password?
            </AnchorLink>
          </Group>
        ) : (
          <Text size="xs" c="dimmed" ta="center">
            Forgot your password? Whoever runs this server can set a new one for you.
          </Text>
        )}
      </Stack>
    </form>
  );
}
