import { Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { PERMISSIONS_KEY } from '../access/use-permissions.ts';
import { OrganizationFailure } from '../organizations/OrganizationFailure.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import { useOrganizationRights } from '../organizations/use-organization-rights.ts';
import { DeleteRole } from './DeleteRole.tsx';
import { permissionLinesOf } from './role-form.ts';
import type { RoleValues } from './role-form.ts';
import { RoleEditor } from './RoleEditor.tsx';
import { RoleFrame } from './RoleFrame.tsx';
import type { AssignableRole } from './role-words.ts';

/** A role of an organization; `new` makes one. */
export function OrganizationRolePage(): React.JSX.Element {
  const { organization: name } = useParams({ from: '/session/shell/people/organizations/$organization/roles/$role' });
  const organization = useQuery(trpc.organizations.get.queryOptions({ organization: name }));
  if (organization.isError) {
    return <OrganizationFailure name={name} error={organization.error} onRetry={() => void organization.refetch()} />;
  }
  if (organization.data === undefined) return <Skeleton height={320} radius="md" />;
  return <RoleOf organization={organization.data} />;
}

function RoleOf({ organization }: { organization: Organization }): React.JSX.Element {
  const { role: name } = useParams({ from: '/session/shell/people/organizations/$organization/roles/$role' });
  const roles = useQuery(trpc.roles.listOrganization.queryOptions({ organization: organization.id }));
  const place = (
    <AnchorLink to="/people/organizations/$organization" params={{ organization: organization.name }} search={{ tab: 'roles' }}>
      roles of {organizationTitle(organization)}
    </AnchorLink>
  );
  return (
    <RoleFrame
      name={name}
      roles={roles}
      place={place}
      actions={(role) => <DeleteOrganizationRole role={role} organization={organization} />}
    >
      {(role) => <EditOrganizationRole key={`${name}:${JSON.stringify(role)}`} role={role} organization={organization} />}
    </RoleFrame>
  );
}

function EditOrganizationRole({ role, organization }: { role: AssignableRole | null; organization: Organization }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { may } = useOrganizationRights(organization);
  const done = async (sentence: string): Promise<void> => {
    notifyDone(sentence);
    await queryClient.invalidateQueries(trpc.roles.pathFilter());
    void queryClient.invalidateQueries({ queryKey: PERMISSIONS_KEY });
    if (role !== null) return;
    await navigate({
      to: '/people/organizations/$organization',
      params: { organization: organization.name },
      search: { tab: 'roles' },
      ignoreBlocker: true,
    });
  };
  const create = useMutation(
    trpc.roles.createOrganization.mutationOptions({ onSuccess: (_, { name }) => done(`The role ${name} is there.`) }),
  );
  const update = useMutation(trpc.roles.updateOrganization.mutationOptions({ onSuccess: () => done('The role is saved.') }));
  const save = role === null ? create : update;
  const request = ({ name, display_name, everywhere }: RoleValues) => ({
    organization: organization.id,
    name,
    display_name,
    organization_permissions: permissionLinesOf(everywhere),
  });
  return (
    <RoleEditor
      role={role}
      organizationId={organization.id}
      mayChange={role === null ? may.defineRoles : may.updateRoles}
      isPending={save.isPending}
      error={save.error}
      onSave={(values) => save.mutate(request(values))}
    />
  );
}

function DeleteOrganizationRole({ role, organization }: { role: AssignableRole; organization: Organization }): React.JSX.Element | null {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { may } = useOrganizationRights(organization);
  const remove = useMutation(
    trpc.roles.deleteOrganization.mutationOptions({
      onSuccess: async () => {
        notifyDone(`The role ${role.name} is deleted.`);
        await navigate({
          to: '/people/organizations/$organization',
          params: { organization: organization.name },
          search: { tab: 'roles' },
          ignoreBlocker: true,
        });
        await queryClient.invalidateQueries(trpc.roles.pathFilter());
        await queryClient.invalidateQueries(trpc.members.pathFilter());
      },
    }),
  );
  if (role.built_in || !may.deleteRoles) return null;
  return (
    <DeleteRole
      name={role.name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ organization: organization.id, roleName: role.name })}
    />
  );
}
