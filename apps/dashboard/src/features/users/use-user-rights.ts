import { useSuspenseQuery } from '@tanstack/react-query';
import type { Answers } from '../access/use-permissions.ts';
import { ask, usePermissions } from '../access/use-permissions.ts';
import { meQuery } from '../session/session.ts';

type UserRight = 'update' | 'delete' | 'updateProfile' | 'assignRoles' | 'readKeys' | 'deleteKeys' | 'readPersonal';

/** What the signed-in person may do to an account. */
export function useUserRights({ id }: { readonly id: string }): Answers<UserRight> {
  const theirs = { owner_id: id };
  return usePermissions({
    update: ask('user:update', theirs),
    delete: ask('user:delete', theirs),
    updateProfile: ask('user:update_personal', theirs),
    readPersonal: ask('user:read_personal', theirs),
    assignRoles: ask('assign_role:assign'),
    readKeys: ask('api_key:read', theirs),
    deleteKeys: ask('api_key:delete', theirs),
  });
}

/** Whether this is the account of the signed-in person. */
export function useIsMe({ id }: { readonly id: string }): boolean {
  return useSuspenseQuery(meQuery()).data.id === id;
}
