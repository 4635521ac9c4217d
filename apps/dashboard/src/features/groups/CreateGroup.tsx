import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import type { GroupValues } from './group-form.ts';
import { GROUP_FIELDS, groupRules } from './group-form.ts';
import { GroupFields } from './GroupFields.tsx';

interface Props {
  readonly organization: Organization;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes a group, and goes to it: members are added there. */
export function CreateGroup({ organization, isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`New group in ${organizationTitle(organization)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <CreateForm organization={organization} onClose={onClose} />
    </Modal>
  );
}

function CreateForm({ organization, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<GroupValues>({
    initialValues: { name: '', display_name: '', avatar_url: '', quota_allowance: 0 },
    validateInputOnBlur: true,
    validate: groupRules(),
  });
  const create = useMutation(
    trpc.groups.create.mutationOptions({
      onSuccess: async (group) => {
        notifyDone(`The group ${group.name} is there.`);
        onClose();
        await queryClient.invalidateQueries(trpc.groups.pathFilter());
        await navigate({
          to: '/people/organizations/$organization/groups/$group',
          params: { organization: organization.name, group: group.name },
        });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), GROUP_FIELDS).errors),
    }),
  );
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, display_name: title, quota_allowance: quota }) =>
        create.mutate({ organization: organization.id, name, display_name: title.trim(), quota_allowance: Number(quota) }),
      )}
    >
      <Stack>
        <Refusal error={create.error} fields={GROUP_FIELDS} />
        <GroupFields form={form} isNew />
        <FormActions submit="Create group" isPending={create.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
