import { Alert, Button, Code, CopyButton, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem } from '@berth/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { LIFETIMES, lifetimeNanoseconds } from './token-lifetime.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

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
  const form = useForm({
    initialValues: { token_name: '', days: '30' },
    validate: { token_name: (value) => nameProblem('token_name', value) },
  });
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.tokens.list.pathFilter()),
      onError: (error) => form.setErrors(formErrors(problemOf(error), ['token_name']).errors),
    }),
  );
  if (create.data !== undefined) return <NewToken secret={create.data.key} onClose={onClose} />;
  const failure = create.isError ? formErrors(problemOf(create.error), ['token_name']).rest : '';
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ token_name, days }) => create.mutate({ user: 'me', token_name, lifetime: lifetimeNanoseconds(days) }))}
    >
      <Stack>
        {failure !== '' && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="What uses it, so that you know it again."
          placeholder="ci-deploy"
          data-autofocus
          required
          {...form.getInputProps('token_name')}
        />
        <Select label="Lifetime" data={LIFETIMES} allowDeselect={false} {...form.getInputProps('days')} />
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

function NewToken({ secret, onClose }: { secret: string; onClose: () => void }): React.JSX.Element {
  return (
    <Stack>
      <Text size="sm">Copy it now: it is shown this once and cannot be read again.</Text>
      <Code block aria-label="The new token" data-testid="new-token">
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant={copied ? 'light' : 'filled'} onClick={copy}>
              {copied ? 'Copied' : 'Copy token'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
