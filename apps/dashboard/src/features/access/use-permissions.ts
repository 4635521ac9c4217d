import type { Permission } from '@berth/rbac/resources';
import { permissionParts } from '@berth/rbac/resources';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/trpc.ts';

const FRESH_MS = 60_000;

/** The beginning of the key of every answer, to ask again after roles have changed. */
export const PERMISSIONS_KEY = ['permissions'] as const;

/** Where a permission is asked about; nothing of it means on the whole site. */
export interface Place {
  readonly owner_id?: string;
  readonly organization_id?: string;
  /** In some organization or other. */
  readonly any_org?: boolean;
  /** An existing thing, with its own lists of who may what. */
  readonly resource_id?: string;
}

export interface PermissionQuestion {
  readonly object: Place & { readonly resource_type: string };
  readonly action: string;
}

/** The question whether the signed-in person may do `permission` there. */
export function ask(permission: Permission, place: Place = {}): PermissionQuestion {
  const { type, action } = permissionParts(permission);
  return { object: { resource_type: type, ...place }, action };
}

export interface Answers<K extends string> {
  /** False until the answer is here: what nobody may do yet is not shown yet. */
  readonly may: Readonly<Record<K, boolean>>;
  readonly isKnown: boolean;
}

/** What the signed-in person may do, asked of the server in one call; the same questions are asked once a minute at most. */
export function usePermissions<K extends string>(checks: Readonly<Record<K, PermissionQuestion>>): Answers<K> {
  const answer = useQuery({
    queryKey: [...PERMISSIONS_KEY, checks],
    queryFn: ({ signal }) => client.authorization.check.mutate({ checks }, { signal }),
    staleTime: FRESH_MS,
  });
  const may = Object.fromEntries(Object.keys(checks).map((key) => [key, answer.data?.[key] === true])) as Record<K, boolean>;
  return { may, isKnown: answer.data !== undefined };
}

const ANY = { any_org: true } as const;

const SITE_RIGHTS = {
  readUsers: ask('user:read'),
  createUsers: ask('user:create'),
  readMembers: ask('organization_member:read', ANY),
  createOrganizations: ask('organization:create'),
  createGroups: ask('group:create', ANY),
  defineSiteRoles: ask('assign_role:create'),
  assignSiteRoles: ask('assign_role:assign'),
  readSync: ask('idpsync_settings:read'),
  readAnySync: ask('idpsync_settings:read', ANY),
  writeSync: ask('idpsync_settings:update'),
  writeOAuth2Apps: ask('oauth2_app:create'),
  createTemplates: ask('template:create', ANY),
  readConfig: ask('deployment_config:read'),
  writeConfig: ask('deployment_config:update'),
  readHealth: ask('debug_info:read'),
  readDeploymentStats: ask('deployment_stats:read'),
  writeProxies: ask('workspace_proxy:update'),
  runProvisioners: ask('provisioner_daemon:update', ANY),
  readAllTokens: ask('api_key:read'),
  viewInsights: ask('template:view_insights'),
} as const;

export type SiteRights = Answers<keyof typeof SITE_RIGHTS>['may'];

/** What the signed-in person may do around people, access and the deployment, anywhere: which pages and buttons there are at all. */
export function useSiteRights(): Answers<keyof typeof SITE_RIGHTS> {
  return usePermissions(SITE_RIGHTS);
}
