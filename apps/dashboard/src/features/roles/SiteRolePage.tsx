import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { ask, PERMISSIONS_KEY, usePermissions } from '../access/use-permissions.ts';
import { DeleteRole } from './DeleteRole.tsx';
import { permissionLinesOf } from './role-form.ts';
import type { RoleValues } from './role-form.ts';
import { RoleEditor } from './RoleEditor.tsx';
import { RoleFrame } from './RoleFrame.tsx';
import type { AssignableRole } from './role-words.ts';

/** A role of the site; `new` makes one. */
export function SiteRolePage(): React.JSX.Element {
  const { role: name } = useParams({ from: '/session/shell/people/roles/$role' });
  const roles = useQuery(trpc.roles.listSite.queryOptions({}));
  const place = <AnchorLink to="/people/roles">site roles</AnchorLink>;
  return (
    <RoleFrame name={name} roles={roles} place={place} actions={(role) => <DeleteSiteRole role={role} />}>
      {(role) => <EditSiteRole key={`${name}:${JSON.stringify(role)}`} role={role} />}
    </RoleFrame>
  );
}

function EditSiteRole({ role }: { role: AssignableRole | null }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { may } = usePermissions({ create: ask('assign_role:create'), update: ask('assign_role:update') });
  const done = async (sentence: string): Promise<void> => {
    notifyDone(sentence);
    await queryClient.invalidateQueries(trpc.roles.pathFilter());
    void queryClient.invalidateQueries({ queryKey: PERMISSIONS_KEY });
    if (role === null) await navigate({ to: '/people/roles', ignoreBlocker: true });
  };
  const create = useMutation(trpc.roles.createSite.mutationOptions({ onSuccess: (_, { name }) => done(`The role ${name} is there.`) }));
  const update = useMutation(trpc.roles.updateSite.mutationOptions({ onSuccess: () => done('The role is saved.') }));
  const save = role === null ? create : update;
  const request = ({ name, display_name, everywhere, own }: RoleValues) => ({
    name,
    display_name,
    site_permissions: permissionLinesOf(everywhere),
    user_permissions: permissionLinesOf(own),
  });
  return (
    <RoleEditor
      role={role}
      organizationId={null}
      mayChange={role === null ? may.create : may.update}
      isPending={save.isPending}
      error={save.error}
      onSave={(values) => save.mutate(request(values))}
    />
  );
}

function DeleteSiteRole({ role }: { role: AssignableRole }): React.JSX.Element | null {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { may } = usePermissions({ remove: ask('assign_role:delete') });
  const remove = useMutation(
    trpc.roles.deleteSite.mutationOptions({
      onSuccess: async () => {
        notifyDone(`The role ${role.name} is deleted.`);
        await navigate({ to: '/people/roles', ignoreBlocker: true });
        await queryClient.invalidateQueries(trpc.roles.pathFilter());
        await queryClient.invalidateQueries(trpc.users.pathFilter());
      },
    }),
  );
  if (role.built_in || !may.remove) return null;
  return (
    <DeleteRole
      name={role.name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ roleName: role.name })}
    />
  );
}
