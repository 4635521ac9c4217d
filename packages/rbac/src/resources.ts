/**
 * What can be acted on, and which actions each thing knows. The types below are derived from this table, so a permission that
 * does not exist ("license:update") does not compile.
 */

const CRUD = ['create', 'read', 'update', 'delete'] as const;
const WORKSPACE_ACTIONS = ['create', 'read', 'update', 'delete', 'start', 'stop', 'ssh', 'application_connect'] as const;
/** `assign` and `delete` give and take a role; `create` and `update` define custom roles. */
const ROLE_ACTIONS = ['assign', 'read', 'delete', 'create', 'update'] as const;

export const RESOURCE_ACTIONS = {
  api_key: CRUD,
  assign_org_role: ROLE_ACTIONS,
  assign_role: ROLE_ACTIONS,
  audit_log: ['create', 'read'],
  crypto_key: CRUD,
  debug_info: ['read'],
  deployment_config: ['read', 'update'],
  deployment_stats: ['read'],
  file: ['create', 'read'],
  group: CRUD,
  group_member: ['read'],
  idpsync_settings: ['read', 'update'],
  license: ['create', 'read', 'delete'],
  notification_message: CRUD,
  notification_preference: ['read', 'update'],
  notification_template: ['read', 'update'],
  oauth2_app: CRUD,
  oauth2_app_code_token: ['create', 'read', 'delete'],
  oauth2_app_secret: CRUD,
  organization: CRUD,
  organization_member: CRUD,
  provisioner_daemon: CRUD,
  provisioner_keys: ['create', 'read', 'delete'],
  replicas: ['read'],
  system: CRUD,
  tailnet_coordinator: CRUD,
  template: ['create', 'read', 'update', 'delete', 'view_insights'],
  user: ['create', 'read', 'update', 'delete', 'read_personal', 'update_personal'],
  workspace: WORKSPACE_ACTIONS,
  /** A workspace whose `dormant_at` is set. */
  workspace_dormant: WORKSPACE_ACTIONS,
  workspace_proxy: CRUD,
} as const;

export type ResourceType = keyof typeof RESOURCE_ACTIONS;
/** The actions that resource type `T` knows. */
export type ActionOf<T extends ResourceType> = (typeof RESOURCE_ACTIONS)[T][number];
export type Action = ActionOf<ResourceType>;
/** Every pair that exists, as `type:action`. */
export type Permission = { [T in ResourceType]: `${T}:${ActionOf<T>}` }[ResourceType];
/** The resource type that a permission is about. */
export type TypeOf<P extends Permission> = P extends `${infer T extends ResourceType}:${string}` ? T : never;

export const RESOURCE_TYPES: readonly ResourceType[] = (Object.keys(RESOURCE_ACTIONS) as ResourceType[]).toSorted();

/** Every permission that exists, sorted by type. */
export const PERMISSIONS: readonly Permission[] = RESOURCE_TYPES.flatMap((type) =>
  RESOURCE_ACTIONS[type].map((action) => `${type}:${action}` as Permission),
);

const PERMISSION_SET: ReadonlySet<string> = new Set(PERMISSIONS);

export function isResourceType(text: string): text is ResourceType {
  return Object.hasOwn(RESOURCE_ACTIONS, text);
}

export function isPermission(text: string): text is Permission {
  return PERMISSION_SET.has(text);
}

/** The two halves of a permission. */
export function permissionParts<P extends Permission>(permission: P): { type: TypeOf<P>; action: ActionOf<TypeOf<P>> } {
  const colon = permission.indexOf(':');
  return {
    type: permission.slice(0, colon) as TypeOf<P>,
    action: permission.slice(colon + 1) as ActionOf<TypeOf<P>>,
  };
}
