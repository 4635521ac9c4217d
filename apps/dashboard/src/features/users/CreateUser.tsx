import { Alert, Button, Code, Modal, MultiSelect, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import { PasswordStrength } from '../session/PasswordStrength.tsx';
import { useSuggestedUsername } from '../session/use-suggested-username.ts';
import { madePassword, secretRandom } from './made-password.ts';
import type { NewLoginType, NewUser } from './user-form.ts';
import { NEW_USER_FIELDS, NEW_USER_RULES, newUserRequest } from './user-form.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes an account. */
export function CreateUser({ isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New user" closeOnClickOutside={false} closeButtonProps={{ 'aria-label': 'Close' }}>
      <CreateUserForm onClose={onClose} />
    </Modal>
  );
}

function CreateUserForm({ onClose }: { onClose: () => void }): React.JSX.Element {
  const organizations = useQuery(trpc.organizations.list.queryOptions({}));
  const methods = useQuery(trpc.auth.methods.queryOptions({}));
  if (organizations.isError) return <Alert color="red">{problemOf(organizations.error).message}</Alert>;
  if (organizations.data === undefined || methods.isPending) return <Text size="sm">One moment…</Text>;
  const first = organizations.data.find((organization) => organization.is_default) ?? organizations.data[0];
  return (
    <UserFields
      onClose={onClose}
      organizations={organizations.data.map((organization) => ({ value: organization.id, label: organizationTitle(organization) }))}
      firstOrganization={first?.id}
      hasOidc={methods.data?.oidc.enabled === true}
      hasCodehost={methods.data?.codehost.enabled === true}
    />
  );
}

interface FieldsProps {
  readonly onClose: () => void;
  readonly organizations: { value: string; label: string }[];
  readonly firstOrganization: string | undefined;
  readonly hasOidc: boolean;
  readonly hasCodehost: boolean;
}

function UserFields({ onClose, organizations, firstOrganization, hasOidc, hasCodehost }: FieldsProps): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<NewUser>({
    initialValues: {
      email: '',
      username: '',
      name: '',
      login_type: 'password',
      password: '',
      organization_ids: firstOrganization === undefined ? [] : [firstOrganization],
    },
    validateInputOnBlur: true,
    validate: NEW_USER_RULES,
  });
  const suggestUsername = useSuggestedUsername({
    current: () => form.getValues().username,
    set: (username) => form.setFieldValue('username', username),
  });
  const create = useMutation(
    trpc.users.create.mutationOptions({
      onSuccess: async (user) => {
        await queryClient.invalidateQueries(trpc.users.list.pathFilter());
        notifyDone(`${user.username} has an account now.`);
        if (user.login_type !== 'password') await leave(user.username);
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), NEW_USER_FIELDS).errors),
    }),
  );
  const leave = async (username: string): Promise<void> => {
    onClose();
    await navigate({ to: '/people/users/$user', params: { user: username } });
  };
  const made = create.data;
  if (made?.login_type === 'password') {
    return (
      <SecretOnce secret={form.values.password} noun="password" onDone={() => void leave(made.username)}>
        Hand it to {made.username} on a safe way; they can change it under Account.
      </SecretOnce>
    );
  }
  return (
    <form noValidate onSubmit={form.onSubmit((user) => create.mutate(newUserRequest(user)))}>
      <Stack>
        <Refusal error={create.error} fields={NEW_USER_FIELDS} />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          data-autofocus
          required
          {...form.getInputProps('email')}
          onChange={(event) => {
            form.setFieldValue('email', event.currentTarget.value);
            suggestUsername(event.currentTarget.value);
          }}
        />
        <TextInput
          label="Username"
          description="Part of their workspaces’ addresses. Letters, digits and single hyphens."
          autoComplete="off"
          required
          {...form.getInputProps('username')}
        />
        <TextInput label="Name" description="What people call them. Optional." autoComplete="off" {...form.getInputProps('name')} />
        <Radio.Group
          label="Signs in with"
          {...form.getInputProps('login_type')}
          onChange={(value) => form.setFieldValue('login_type', loginType(value))}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="password" label="A password" />
            <Radio
              value="oidc"
              label="Single sign-on"
              disabled={!hasOidc}
              description={
                hasOidc ? 'Whoever your identity provider knows by this e-mail address.' : 'No provider is set up on this server.'
              }
            />
            {hasCodehost && <Radio value="codehost" label="The code host" />}
            <Radio value="none" label="Nothing" description="For programs: they get tokens made for them and never sign in." />
          </Stack>
        </Radio.Group>
        {form.values.login_type === 'password' && (
          <div>
            <PasswordInput label="Password" autoComplete="new-password" required {...form.getInputProps('password')} />
            <PasswordStrength password={form.values.password} />
            <Button size="compact-xs" variant="subtle" mt={4} onClick={() => form.setFieldValue('password', madePassword(secretRandom))}>
              Make one up
            </Button>
          </div>
        )}
        <MultiSelect
          label="Organizations"
          description="Their templates, groups and workspaces live there."
          data={organizations}
          required
          searchable
          hidePickedOptions
          {...form.getInputProps('organization_ids')}
        />
        <Text size="xs" c="dimmed">
          The account is <Code>dormant</Code> until its first use. Roles and groups are given afterwards.
        </Text>
        <FormActions submit="Create user" isPending={create.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function loginType(value: string): NewLoginType {
  switch (value) {
    case 'oidc':
    case 'codehost':
    case 'none':
      return value;
    default:
      return 'password';
  }
}
