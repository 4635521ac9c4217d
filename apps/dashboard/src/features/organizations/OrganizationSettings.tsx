import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import { Section } from '../account/Section.tsx';
import { ORGANIZATION_FIELDS, organizationRules } from './organization-form.ts';
import type { OrganizationValues } from './OrganizationFields.tsx';
import { OrganizationFields } from './OrganizationFields.tsx';
import type { Organization } from './organization-words.ts';

/** What an organization is called, and its end. */
export function OrganizationSettings({ organization, mayDelete }: { organization: Organization; mayDelete: boolean }): React.JSX.Element {
  return (
    <Stack maw={640}>
      <SettingsForm organization={organization} />
      {mayDelete && <DeleteSection organization={organization} />}
    </Stack>
  );
}

function SettingsForm({ organization }: { organization: Organization }): React.JSX.Element {
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
        notifyDone('The organization is saved.');
        await queryClient.invalidateQueries(trpc.organizations.list.pathFilter());
        if (saved.name === name) return;
        await navigate({
          to: '/people/organizations/$organization',
          params: { organization: saved.name },
          search: { tab: 'settings' },
          replace: true,
        });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), ORGANIZATION_FIELDS).errors),
    }),
  );
  return (
    <Section title="Settings">
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          save.mutate({ organization: organization.id, ...values, display_name: values.display_name.trim() }),
        )}
      >
        <Stack>
          <Refusal error={save.error} fields={ORGANIZATION_FIELDS} />
          <OrganizationFields form={form} isNew={false} />
          <Group justify="flex-end">
            <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function DeleteSection({ organization }: { organization: Organization }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, disclosure] = useDisclosure(false);
  const remove = useMutation(
    trpc.organizations.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${organization.name} is deleted.`);
        await navigate({ to: '/people/organizations' });
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
    <Section
      title="Delete"
      description="Members, groups, roles and templates of the organization go with it. Refused as long as one of its workspaces is on record, even a deleted one."
      actions={
        <Button color="red" variant="light" onClick={disclosure.open}>
          Delete organization…
        </Button>
      }
    >
      <TypedConfirm
        isOpen={isOpen}
        onClose={() => {
          remove.reset();
          disclosure.close();
        }}
        title={`Delete ${organization.name}`}
        name={organization.name}
        action="Delete organization"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ organization: organization.id })}
      >
        <Text size="sm">Members keep their accounts, and lose what they have here. This cannot be undone.</Text>
      </TypedConfirm>
    </Section>
  );
}
