import type { Answers } from '../access/use-permissions.ts';
import { ask, usePermissions } from '../access/use-permissions.ts';

type OrganizationRight =
  | 'update'
  | 'delete'
  | 'addMembers'
  | 'removeMembers'
  | 'readMembers'
  | 'createGroups'
  | 'updateGroups'
  | 'deleteGroups'
  | 'defineRoles'
  | 'updateRoles'
  | 'deleteRoles'
  | 'createKeys'
  | 'deleteKeys'
  | 'readSync'
  | 'writeSync';

/** What the signed-in person may do in an organization. */
export function useOrganizationRights({ id }: { readonly id: string }): Answers<OrganizationRight> {
  const here = { organization_id: id };
  return usePermissions({
    update: ask('organization:update', here),
    delete: ask('organization:delete', here),
    addMembers: ask('organization_member:create', here),
    removeMembers: ask('organization_member:delete', here),
    readMembers: ask('organization_member:read', here),
    createGroups: ask('group:create', here),
    updateGroups: ask('group:update', here),
    deleteGroups: ask('group:delete', here),
    defineRoles: ask('assign_org_role:create', here),
    updateRoles: ask('assign_org_role:update', here),
    deleteRoles: ask('assign_org_role:delete', here),
    createKeys: ask('provisioner_keys:create', here),
    deleteKeys: ask('provisioner_keys:delete', here),
    readSync: ask('idpsync_settings:read', here),
    writeSync: ask('idpsync_settings:update', here),
  });
}
