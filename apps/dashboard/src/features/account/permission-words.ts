import type { ResourceType } from '@berth/rbac/resources';
import { PERMISSIONS, RESOURCE_ACTIONS, RESOURCE_TYPES, isPermission } from '@berth/rbac/resources';

/** What each kind of thing is called among people, those that people meet most first. */
const COMMON = {
  workspace: 'Workspaces',
  workspace_dormant: 'Dormant workspaces',
  template: 'Templates',
  file: 'Uploaded files',
  api_key: 'Sessions and tokens',
  user: 'Users',
  group: 'Groups',
  group_member: 'Members of groups',
  organization: 'Organizations',
  organization_member: 'Members of organizations',
  audit_log: 'Audit log',
} as const satisfies Partial<Record<ResourceType, string>>;

const OTHERS = {
  assign_org_role: 'Organization roles',
  assign_role: 'Site roles',
  crypto_key: 'Signing keys',
  debug_info: 'Debug information',
  deployment_config: 'Deployment settings',
  deployment_stats: 'Deployment figures',
  idpsync_settings: 'Identity provider sync',
  license: 'Licences',
  notification_message: 'Notifications',
  notification_preference: 'Notification preferences',
  notification_template: 'Notification templates',
  oauth2_app: 'OAuth2 applications',
  oauth2_app_code_token: 'OAuth2 grants',
  oauth2_app_secret: 'OAuth2 secrets',
  provisioner_daemon: 'Provisioners',
  provisioner_keys: 'Provisioner keys',
  replicas: 'Replicas',
  system: 'System',
  tailnet_coordinator: 'Connection coordinator',
  workspace_proxy: 'Workspace proxies',
} as const satisfies Record<Exclude<ResourceType, keyof typeof COMMON>, string>;

const NAMES: Readonly<Record<ResourceType, string>> = { ...COMMON, ...OTHERS };
const ORDER: readonly string[] = [...Object.keys(COMMON), ...Object.keys(OTHERS)];

const ACTIONS: Readonly<Record<string, string>> = {
  application_connect: 'open apps',
  read_personal: 'read private details',
  update_personal: 'change private details',
  ssh: 'open terminals and SSH',
  update: 'change',
  view_insights: 'see insights',
};

/** An action as a verb: `update` is "change". */
function actionWords(action: string): string {
  return ACTIONS[action] ?? action.replaceAll('_', ' ');
}

export interface PermissionGroup {
  readonly type: ResourceType;
  readonly label: string;
  readonly permissions: readonly { readonly value: string; readonly label: string }[];
}

/** Every permission, grouped by what it is about; what people meet most comes first. */
export const PERMISSION_GROUPS: readonly PermissionGroup[] = RESOURCE_TYPES.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).map(
  (type) => ({
    type,
    label: NAMES[type],
    permissions: RESOURCE_ACTIONS[type].map((action) => ({ value: `${type}:${action}`, label: actionWords(action) })),
  }),
);

/** The groups that a search leaves: by the name of the thing, of the action, or as the API writes it. Empty text leaves all. */
export function findPermissions(text: string): readonly PermissionGroup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return PERMISSION_GROUPS;
  return PERMISSION_GROUPS.flatMap((group) => {
    if (group.label.toLowerCase().includes(wanted)) return [group];
    const permissions = group.permissions.filter(({ value, label }) => isLike(value, wanted) || label.includes(wanted));
    return permissions.length === 0 ? [] : [{ ...group, permissions }];
  });
}

/** What is chosen once `permissions` are chosen too, or no longer. */
export function choosePermissions(chosen: readonly string[], permissions: readonly string[], isOn: boolean): string[] {
  const others = chosen.filter((permission) => !permissions.includes(permission));
  return isOn ? [...others, ...permissions] : others;
}

/** A whole name is meant where its colon is typed: `template:read` is not about notification templates. */
function isLike(permission: string, wanted: string): boolean {
  return wanted.includes(':') ? permission.startsWith(wanted) : permission.includes(wanted);
}

/** "Workspaces: read, start, stop", a line for each kind of thing. Names that are no permissions stand as they are. */
export function permissionLines(permissions: readonly string[]): string[] {
  const unknown = permissions.filter((permission) => !isPermission(permission));
  const known = new Set<string>(PERMISSIONS.filter((permission) => permissions.includes(permission)));
  const lines = PERMISSION_GROUPS.flatMap((group) => {
    const held = group.permissions.filter(({ value }) => known.has(value));
    if (held.length === 0) return [];
    if (held.length === group.permissions.length && held.length > 1) return [`${group.label}: everything`];
    return [`${group.label}: ${held.map(({ label }) => label).join(', ')}`];
  });
  return [...lines, ...unknown];
}
