import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ApiKeyScope } from '@berth/domain';
import { nameProblem } from '@berth/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { PermissionPicker } from './PermissionPicker.tsx';
import { allowedLifetimes, lifetimeNanoseconds } from './token-lifetime.ts';
import { TOKEN_SCOPES } from './token-scope.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface Values {
  token_name: string;
  days: string;
  scope: ApiKeyScope;
  permissions: string[];
}

const FIELDS = ['token_name', 'permissions'] as const;

/** Makes a token, and shows its secret this once. */
export function CreateToken({ isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New API token" closeOnClickOutside={false} closeButtonProps={{ 'aria-label': 'Close' }}>
      <CreateTokenForm onClose={onClose} />
    </Modal>
  );
}

function CreateTokenForm({ onClose }: { onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const config = useQuery(trpc.tokens.config.queryOptions({ user: 'me' }));
  const form = useForm<Values>({
    initialValues: { token_name: '', days: '30', scope: 'all', permissions: [] },
    validate: {
      token_name: (value) => nameProblem('token_name', value),
      permissions: (value, { scope }) => (scope === 'limited' && value.length === 0 ? 'Choose at least one.' : null),
    },
  });
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.tokens.list.pathFilter()),
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  if (create.data !== undefined) return <SecretOnce secret={create.data.key} noun="token" onDone={onClose} />;
  const submit = ({ token_name, days, scope, permissions }: Values): void =>
    create.mutate({
      user: 'me',
      token_name,
      scope,
      lifetime: lifetimeNanoseconds(days),
      ...(scope === 'limited' ? { permissions } : {}),
    });
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Refusal error={create.error} fields={FIELDS} />
        <TextInput
          label="Name"
          description="What uses it, so that you know it again."
          placeholder="ci-deploy"
          data-autofocus
          required
          {...form.getInputProps('token_name')}
        />
        <Select
          label="Lifetime"
          data={allowedLifetimes(config.data?.max_token_lifetime)}
          allowDeselect={false}
          {...form.getInputProps('days')}
        />
        <Radio.Group label="May do" {...form.getInputProps('scope')}>
          <Stack gap="xs" mt={6}>
            {TOKEN_SCOPES.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.scope === 'limited' && (
          <PermissionPicker
            value={form.values.permissions}
            onChange={(permissions) => form.setFieldValue('permissions', permissions)}
            error={form.errors['permissions']}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
