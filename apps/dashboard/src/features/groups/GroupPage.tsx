import { Alert, Badge, Button, Group as Row, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from '../account/Section.tsx';
import { organizationTitle } from '../organizations/organization-words.ts';
import { useOrganizationRights } from '../organizations/use-organization-rights.ts';
import type { GroupValues } from './group-form.ts';
import { GROUP_FIELDS, groupRules } from './group-form.ts';
import { GroupFields } from './GroupFields.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import type { Group } from './group-words.ts';
import { groupTitle, isEveryone } from './group-words.ts';

const ROUTE = '/session/shell/people/organizations/$organization/groups/$group';

/** One group: who is in it, and what it allows them. */
export function GroupPage(): React.JSX.Element {
  const { organization, group: name } = useParams({ from: ROUTE });
  const group = useQuery(trpc.groups.getByName.queryOptions({ organization, groupName: name }));
  if (group.data !== undefined) return <LoadedGroup group={group.data} />;
  if (group.isError) {
    const back = (
      <ButtonLink to="/people/organizations/$organization" params={{ organization }} search={{ tab: 'groups' }}>
        Go to groups
      </ButtonLink>
    );
    return <LoadFailure error={group.error} kind="group" name={name} back={back} onRetry={() => void group.refetch()} />;
  }
  return (
    <Page title={name}>
      <Stack aria-busy="true">
        <Skeleton height={220} radius="md" />
        <Skeleton height={180} radius="md" />
      </Stack>
    </Page>
  );
}

function LoadedGroup({ group }: { group: Group }): React.JSX.Element {
  const { may } = useOrganizationRights({ id: group.organization_id });
  const [isDeleting, deletion] = useDisclosure(false);
  const everyone = isEveryone(group);
  return (
    <Page
      title={groupTitle(group)}
      subtitle={
        <Row gap="xs">
          <Text span inherit>
            Group in{' '}
            <AnchorLink
              inherit
              to="/people/organizations/$organization"
              params={{ organization: group.organization_name }}
              search={{ tab: 'groups' }}
            >
              {organizationTitle({ name: group.organization_name, display_name: group.organization_display_name })}
            </AnchorLink>
          </Text>
          {group.source === 'oidc' && <Badge color="blue">From sign-on</Badge>}
        </Row>
      }
      actions={
        may.deleteGroups &&
        !everyone && (
          <Button color="red" variant="light" onClick={deletion.open}>
            Delete group…
          </Button>
        )
      }
    >
      {everyone && (
        <Alert variant="default" title="Everyone">
          Every member of the organization is in this group, and leaves it with the organization. What is shared with it is shared with all
          of them, and its allowance counts for all of them.
        </Alert>
      )}
      <GroupMembers group={group} mayChange={may.updateGroups && !everyone} />
      <GroupSettings key={`${group.name}:${group.display_name}:${group.quota_allowance}`} group={group} mayChange={may.updateGroups} />
      <DeleteGroup group={group} isOpen={isDeleting} onClose={deletion.close} />
    </Page>
  );
}

function GroupSettings({ group, mayChange }: { group: Group; mayChange: boolean }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const everyone = isEveryone(group);
  const form = useForm<GroupValues>({
    initialValues: {
      name: group.name,
      display_name: group.display_name,
      avatar_url: group.avatar_url,
      quota_allowance: group.quota_allowance,
    },
    validateInputOnBlur: true,
    validate: groupRules(group.name),
  });
  const save = useMutation(
    trpc.groups.update.mutationOptions({
      onSuccess: async (saved) => {
        form.resetDirty();
        notifyDone('The group is saved.');
        queryClient.setQueryData(trpc.groups.getByName.queryKey({ organization: group.organization_name, groupName: saved.name }), saved);
        if (saved.name !== group.name) {
          const params = { organization: group.organization_name, group: saved.name };
          await navigate({ to: '/people/organizations/$organization/groups/$group', params, replace: true, ignoreBlocker: true });
        }
        await queryClient.invalidateQueries(trpc.groups.listByOrganization.pathFilter());
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), GROUP_FIELDS).errors),
    }),
  );
  return (
    <Section title="Settings">
      <form
        noValidate
        onSubmit={form.onSubmit(({ name, display_name: title, quota_allowance: quota }) =>
          save.mutate({
            group: group.id,
            quota_allowance: Number(quota),
            ...(everyone ? {} : { name, display_name: title.trim() }),
          }),
        )}
      >
        <Stack maw={480}>
          <UnsavedGuard isDirty={mayChange && form.isDirty()} />
          <Refusal error={save.error} fields={GROUP_FIELDS} />
          <GroupFields form={form} isEveryone={everyone} isReadOnly={!mayChange} />
          {mayChange && (
            <Row justify="flex-end">
              <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
                Save
              </Button>
            </Row>
          )}
        </Stack>
      </form>
    </Section>
  );
}

function DeleteGroup({ group, isOpen, onClose }: { group: Group; isOpen: boolean; onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.groups.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`The group ${group.name} is deleted.`);
        await navigate({
          to: '/people/organizations/$organization',
          params: { organization: group.organization_name },
          search: { tab: 'groups' },
        });
        await queryClient.invalidateQueries(trpc.groups.pathFilter());
      },
    }),
  );
  return (
    <TypedConfirm
      isOpen={isOpen}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Delete ${groupTitle(group)}`}
      name={group.name}
      action="Delete group"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ group: group.id })}
    >
      <Text size="sm">
        Its members stay in the organization, and lose the templates and the allowance that they have through this group alone.
      </Text>
    </TypedConfirm>
  );
}
