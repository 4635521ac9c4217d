import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem, passwordProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTitle } from '../appearance/use-title.ts';
import { formErrors, problemOf } from '../../api/errors.ts';
import { client, trpc } from '../../api/trpc.ts';
import { PasswordStrength } from './PasswordStrength.tsx';
import { forgetSession } from './session.ts';
import { SessionLayout } from './SessionLayout.tsx';
import { useSuggestedUsername } from './use-suggested-username.ts';

const FIELDS = ['email', 'username', 'name', 'password'] as const;

/** Makes the first account, which owns the deployment, and signs in with it. */
export function SetUpPage(): React.JSX.Element {
  useTitle('Set up');
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { email: '', username: '', name: '', password: '' },
    validateInputOnBlur: true,
    validate: {
      email: (value) => nameProblem('email', value.trim()),
      username: (value) => nameProblem('name', value),
      name: (value) => nameProblem('real_name', value.trim()),
      password: passwordProblem,
    },
  });
  const suggestUsername = useSuggestedUsername({
    current: () => form.getValues().username,
    set: (username) => form.setFieldValue('username', username),
  });
  const create = useMutation(
    trpc.users.createFirst.mutationOptions({
      meta: { anonymous: true },
      onSuccess: async (_user, { email, password }) => {
        await client.auth.login.mutate({ email, password });
        forgetSession();
        await navigate({ to: '/workspaces' });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  const failure = create.isError ? formErrors(problemOf(create.error), FIELDS).rest : '';
  return (
    <SessionLayout>
      <form
        onSubmit={form.onSubmit(({ email, username, name, password }) =>
          create.mutate({ email: email.trim(), username, name: name.trim(), password }),
        )}
        noValidate
      >
        <Stack>
          <div>
            <Title order={1} size="h2">
              Set up Berth
            </Title>
            <Text size="sm" c="dimmed">
              This first account owns everything here. Others get theirs from you.
            </Text>
          </div>
          {failure !== '' && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="email"
            required
            autoFocus
            {...form.getInputProps('email')}
            onChange={(event) => {
              form.setFieldValue('email', event.currentTarget.value);
              suggestUsername(event.currentTarget.value);
            }}
          />
          <TextInput
            label="Username"
            description="Part of your workspaces’ addresses. Letters, digits and single hyphens."
            autoComplete="username"
            required
            {...form.getInputProps('username')}
          />
          <TextInput label="Name" description="What people call you. Optional." autoComplete="name" {...form.getInputProps('name')} />
          <div>
            <PasswordInput label="Password" autoComplete="new-password" required {...form.getInputProps('password')} />
            <PasswordStrength password={form.values.password} />
          </div>
          <Button type="submit" loading={create.isPending}>
            Create account
          </Button>
        </Stack>
      </form>
    </SessionLayout>
  );
}
