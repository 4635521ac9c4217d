import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem } from '@berth/domain';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { When } from '../../ui/When.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { UserAvatar } from '../../ui/UserAvatar.tsx';
import type { Me } from '../session/session.ts';
import { meQuery } from '../session/session.ts';
import { Section } from './Section.tsx';

const FIELDS = ['username', 'name'] as const;

/** Who one is here: the name in addresses, and the one that people call. */
export function ProfilePage(): React.JSX.Element {
  const { data: me } = useSuspenseQuery(meQuery());
  return (
    <Page title="Profile">
      <Section title="Who you are" description="Others see this beside what you do.">
        <ProfileForm me={me} key={me.id} />
      </Section>
    </Page>
  );
}

function ProfileForm({ me }: { me: Me }): React.JSX.Element {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { username: me.username, name: me.name },
    validateInputOnBlur: true,
    validate: {
      username: (value) => nameProblem('name', value.trim()),
      name: (value) => nameProblem('real_name', value.trim()),
    },
  });
  const save = useMutation(
    trpc.users.updateProfile.mutationOptions({
      onSuccess: async (user) => {
        queryClient.setQueryData(meQuery().queryKey, user);
        form.setValues({ username: user.username, name: user.name });
        form.resetDirty({ username: user.username, name: user.name });
        notifyDone('Your profile is saved.');
        // Workspaces are addressed and listed by their owner's name.
        await queryClient.invalidateQueries(trpc.workspaces.pathFilter());
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  const isRenaming = form.values.username.trim() !== me.username;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ username, name }) => save.mutate({ user: 'me', username: username.trim(), name: name.trim() }))}
    >
      <Stack maw={440}>
        <UnsavedGuard isDirty={form.isDirty()} />
        <Refusal error={save.error} fields={FIELDS} />
        <Group gap="sm" wrap="nowrap">
          <UserAvatar username={me.username} avatarUrl={me.avatar_url} size={48} />
          <Box miw={0}>
            <Text fw={600} className="wrap-anywhere">
              {me.name === '' ? me.username : me.name}
            </Text>
            <Text size="sm" c="dimmed">
              Here since <When at={me.created_at} />
            </Text>
          </Box>
        </Group>
        <TextInput
          label="Username"
          description={
            isRenaming
              ? `Addresses of your workspaces begin with @${form.values.username.trim()} from then on; those with @${me.username} end.`
              : `In the addresses of your workspaces: /@${me.username}/…`
          }
          autoComplete="username"
          required
          {...form.getInputProps('username')}
        />
        <TextInput label="Name" description="What people call you. Optional." autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="E-mail"
          description="You sign in with it. Only an administrator can have it changed."
          value={me.email}
          readOnly
          variant="filled"
        />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
