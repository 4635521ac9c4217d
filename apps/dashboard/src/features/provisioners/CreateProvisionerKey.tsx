import { Code, Modal, Stack, TextInput, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem } from '@berth/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { tagsOf } from './provisioner-words.ts';

const FIELDS = ['name', 'tags'] as const;

interface Props {
  readonly organization: Organization;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes a key, and shows it once with the command that uses it. */
export function CreateProvisionerKey({ isOpen, ...form }: Props): React.JSX.Element {
  return (
    <Modal
      opened={isOpen}
      onClose={form.onClose}
      title="New provisioner key"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <KeyForm {...form} />
    </Modal>
  );
}

function KeyForm({ organization, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: '', tags: '' },
    validateInputOnBlur: true,
    validate: {
      name: (value) => nameProblem('provisioner_key_name', value.trim()),
      tags: (value) => (tagsOf(value) === null ? 'Write name=value, one a line.' : null),
    },
  });
  const create = useMutation(
    trpc.provisionerKeys.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.provisionerKeys.pathFilter()),
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  if (create.data !== undefined) {
    return (
      <SecretOnce secret={create.data.key} noun="key" onDone={onClose}>
        Start a daemon with it in <Code>BERTH_PROVISIONER_KEY</Code>, and this server’s address in <Code>BERTH_URL</Code>.
      </SecretOnce>
    );
  }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, tags }) =>
        create.mutate({ organization: organization.id, name: name.trim(), tags: tagsOf(tags) ?? {} }),
      )}
    >
      <Stack>
        <Refusal error={create.error} fields={FIELDS} />
        <TextInput
          label="Name"
          description="Such as the host or the cluster that it is for."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Tags"
          description="Jobs that ask for these tags go to daemons with this key, and to no others. One a line."
          placeholder="gpu=yes"
          autosize
          minRows={2}
          {...form.getInputProps('tags')}
        />
        <FormActions submit="Create key" isPending={create.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
