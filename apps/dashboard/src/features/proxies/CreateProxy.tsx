import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import type { ProxyValues } from './proxy-words.ts';
import { PROXY_FIELDS, PROXY_RULES } from './proxy-words.ts';
import { ProxyFields } from './ProxyFields.tsx';

/** Makes a proxy, and shows its token once. */
export function CreateProxy({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.JSX.Element {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="New workspace proxy"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <CreateForm onClose={onClose} />
    </Modal>
  );
}

function CreateForm({ onClose }: { onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const form = useForm<ProxyValues>({
    initialValues: { name: '', display_name: '', icon: '' },
    validateInputOnBlur: true,
    validate: PROXY_RULES,
  });
  const create = useMutation(
    trpc.workspaceProxies.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.workspaceProxies.pathFilter()),
      onError: (error) => form.setErrors(formErrors(problemOf(error), PROXY_FIELDS).errors),
    }),
  );
  if (create.data?.proxy_token !== undefined) {
    return (
      <SecretOnce secret={create.data.proxy_token} noun="token" onDone={onClose}>
        The proxy shows it to this server when it registers.
      </SecretOnce>
    );
  }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, display_name, icon }) =>
        create.mutate({
          name: name.trim(),
          icon: icon.trim(),
          ...(display_name.trim() === '' ? {} : { display_name: display_name.trim() }),
        }),
      )}
    >
      <Stack>
        <Refusal error={create.error} fields={PROXY_FIELDS} />
        <ProxyFields form={form} hasName />
        <FormActions submit="Create proxy" isPending={create.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
