import type { AccessSearch } from '../../app/people-routes.tsx';
import { isPermission } from '@berth/rbac/resources';

/** Types of things that can be named one by one. */
export const NAMED_TYPES = ['workspace', 'template', 'user', 'group'] as const;
export type NamedType = (typeof NAMED_TYPES)[number];

export function namedType(type: string | undefined): NamedType | undefined {
  return NAMED_TYPES.find((known) => known === type);
}

export interface Question {
  readonly user: string;
  readonly action: string;
  readonly object: {
    readonly resource_type: string;
    readonly resource_id?: string;
    readonly organization_id?: string;
    readonly owner_id?: string;
  };
}

/** What the URL asks, or null as long as it is not a whole question. An existing thing has its own owner and organization. */
export function questionOf({ user, type, action, id, organization, own }: AccessSearch, userId: string | undefined): Question | null {
  if (user === undefined || userId === undefined || type === undefined || action === undefined) return null;
  if (!isPermission(`${type}:${action}`)) return null;
  if (id !== undefined && namedType(type) !== undefined) return { user: userId, action, object: { resource_type: type, resource_id: id } };
  return {
    user: userId,
    action,
    object: {
      resource_type: type,
      ...(organization === undefined ? {} : { organization_id: organization }),
      ...(own === true ? { owner_id: userId } : {}),
    },
  };
}
