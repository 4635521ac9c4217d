import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { PERMISSIONS_KEY } from '../access/use-permissions.ts';
import { ORGANIZATION_FIELDS, organizationRules } from './organization-form.ts';
import type { OrganizationValues } from './OrganizationFields.tsx';
import { OrganizationFields } from './OrganizationFields.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes an organization, which its maker joins. */
export function CreateOrganization({ isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New organization" closeButtonProps={{ 'aria-label': 'Close' }}>
      <CreateForm onClose={onClose} />
    </Modal>
  );
}

function CreateForm({ onClose }: { onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<OrganizationValues>({
    initialValues: { name: '', display_name: '', description: '', icon: '' },
    validateInputOnBlur: true,
    validate: organizationRules(),
  });
  const create = useMutation(
    trpc.organizations.create.mutationOptions({
      onSuccess: async (organization) => {
        notifyDone(`${organization.name} is there. You are its first member.`);
        await queryClient.invalidateQueries(trpc.organizations.pathFilter());
        void queryClient.invalidateQueries({ queryKey: PERMISSIONS_KEY });
        onClose();
        await navigate({ to: '/people/organizations/$organization', params: { organization: organization.name } });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), ORGANIZATION_FIELDS).errors),
    }),
  );
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate({ ...values, display_name: values.display_name.trim() }))}>
      <Stack>
        <Refusal error={create.error} fields={ORGANIZATION_FIELDS} />
        <OrganizationFields form={form} isNew />
        <FormActions submit="Create organization" isPending={create.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
