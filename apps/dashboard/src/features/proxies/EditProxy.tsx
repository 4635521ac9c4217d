import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import type { Proxy, ProxyValues } from './proxy-words.ts';
import { PRIMARY, PROXY_FIELDS, PROXY_RULES, proxyTitle } from './proxy-words.ts';
import { ProxyFields } from './ProxyFields.tsx';

/** Changes what a proxy is called. */
export function EditProxy({ proxy, onClose }: { proxy: Proxy; onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const hasName = proxy.name !== PRIMARY;
  const form = useForm<ProxyValues>({
    initialValues: { name: proxy.name, display_name: proxy.display_name, icon: proxy.icon_url },
    validateInputOnBlur: true,
    validate: PROXY_RULES,
  });
  const update = useMutation(
    trpc.workspaceProxies.update.mutationOptions({
      onSuccess: async (changed) => {
        onClose();
        notifyDone(`${proxyTitle(changed)} is changed.`);
        await queryClient.invalidateQueries(trpc.workspaceProxies.pathFilter());
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), PROXY_FIELDS).errors),
    }),
  );
  return (
    <Modal opened onClose={onClose} title={`Edit ${proxyTitle(proxy)}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        noValidate
        onSubmit={form.onSubmit(({ name, display_name, icon }) =>
          update.mutate({
            workspaceproxy: proxy.id,
            ...(hasName ? { name: name.trim() } : {}),
            ...(display_name.trim() === '' ? {} : { display_name: display_name.trim() }),
            icon: icon.trim(),
          }),
        )}
      >
        <Stack>
          <Refusal error={update.error} fields={PROXY_FIELDS} />
          <ProxyFields form={form} hasName={hasName} />
          <FormActions submit="Save" isPending={update.isPending} onCancel={onClose} isDisabled={!form.isDirty()} />
        </Stack>
      </form>
    </Modal>
  );
}
