import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { DeleteSection } from '../account/DeleteSection.tsx';
import { Section } from '../account/Section.tsx';
import { SettingsForm } from '../account/SettingsForm.tsx';
import { ORGANIZATION_FIELDS, organizationRules } from './organization-form.ts';
import type { OrganizationValues } from './OrganizationFields.tsx';
import { OrganizationFields } from './OrganizationFields.tsx';
import type { Organization } from './organization-words.ts';

/** What an organization is called, and its end. */
export function OrganizationSettings({ organization, mayDelete }: { organization: Organization; mayDelete: boolean }): React.JSX.Element {
  return (
    <Stack maw={640}>
      <General organization={organization} />
      {mayDelete && <Deletion organization={organization} />}
    </Stack>
  );
}

function General({ organization }: { organization: Organization }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { name, display_name, description, icon } = organization;
  const form = useForm<OrganizationValues>({
    initialValues: { name, display_name, description, icon },
    validateInputOnBlur: true,
    validate: organizationRules(name),
  });
  const save = useMutation(
    trpc.organizations.update.mutationOptions({
      onSuccess: async (saved) => {
        queryClient.setQueryData(trpc.organizations.get.queryKey({ organization: saved.name }), saved);
        form.resetDirty();
        notifyDone('The organization is saved.');
        await queryClient.invalidateQueries(trpc.organizations.list.pathFilter());
        if (saved.name === name) return;
        await navigate({
          to: '/people/organizations/$organization',
          params: { organization: saved.name },
          search: { tab: 'settings' },
          replace: true,
          ignoreBlocker: true,
        });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), ORGANIZATION_FIELDS).errors),
    }),
  );
  return (
    <SettingsForm
      title="Settings"
      error={save.error}
      fields={ORGANIZATION_FIELDS}
      isDirty={form.isDirty()}
      isPending={save.isPending}
      onSubmit={form.onSubmit((values) =>
        save.mutate({ organization: organization.id, ...values, display_name: values.display_name.trim() }),
      )}
    >
      <OrganizationFields form={form} isNew={false} />
    </SettingsForm>
  );
}

function Deletion({ organization }: { organization: Organization }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.organizations.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${organization.name} is deleted.`);
        await navigate({ to: '/people/organizations', ignoreBlocker: true });
        await queryClient.invalidateQueries(trpc.organizations.pathFilter());
      },
    }),
  );
  if (organization.is_default) {
    return (
      <Section
        title="Delete"
        description="This is the default organization, which always exists: new accounts need one. It cannot be deleted."
      />
    );
  }
  return (
    <DeleteSection
      noun="organization"
      name={organization.name}
      description="Members, groups, roles and templates of the organization go with it. Refused as long as one of its workspaces is on record, even a deleted one."
      warning="Members keep their accounts, and lose what they have here. This cannot be undone."
      remove={remove}
      onDelete={() => remove.mutate({ organization: organization.id })}
    />
  );
}
