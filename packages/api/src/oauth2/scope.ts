import type { Permission, ResourceType } from '@berth/rbac';
import { SCOPES, isPermission, permissionParts } from '@berth/rbac';
import type { StoredScope } from '../tokens/mint.ts';

/** What an application asks for that asks for nothing. */
const DEFAULT_SCOPE = 'read_only';
const NAMED = ['all', 'read_only', 'application_connect'] as const;
type Named = (typeof NAMED)[number];

const isNamed = (name: string): name is Named => NAMED.some((known) => known === name);

/**
 * A scope in its one written form: names sorted, each once, `all` alone. Null when a name is none: `all`, `read_only`,
 * `application_connect` or a permission `resource:action`.
 */
export function parseScope(text: string | undefined): string | null {
  const names = [...new Set((text ?? '').split(' ').filter((name) => name !== ''))].toSorted();
  if (names.length === 0) return DEFAULT_SCOPE;
  if (!names.every((name) => isNamed(name) || isPermission(name))) return null;
  return names.includes('all') ? 'all' : names.join(' ');
}

/** The scope of the API key that carries out a parsed scope. */
export function keyScopeOf(scope: string): StoredScope {
  const names = scope.split(' ');
  const [only] = names;
  if (names.includes('all')) return { scope: 'all', permissions: [] };
  if (names.length === 1 && only !== undefined && isNamed(only)) return { scope: only, permissions: [] };
  const permissions = names.flatMap((name) =>
    isNamed(name) ? SCOPES[name].permissions.map((rule) => `${rule.resourceType}:${rule.action}`) : [name],
  );
  return { scope: 'limited', permissions: [...new Set(permissions)].toSorted() };
}

/** The names of a parsed scope, each with a sentence that says what it allows. */
export function describeScopes(scope: string): { name: string; description: string }[] {
  return scope.split(' ').map((name) => ({ name, description: describe(name) }));
}

const NAMED_SENTENCES: Readonly<Record<Named, string>> = {
  all: 'Do everything that you may do.',
  read_only: 'Read everything that you may read, and change nothing.',
  application_connect: 'Open the apps of your workspaces.',
};

const NOUNS: Readonly<Record<ResourceType, string>> = {
  api_key: 'sessions and tokens',
  assign_org_role: 'roles in organizations',
  assign_role: 'roles of the deployment',
  audit_log: 'the audit log',
  crypto_key: 'signing keys',
  debug_info: 'debugging information',
  deployment_config: 'the configuration of the deployment',
  deployment_stats: 'statistics of the deployment',
  file: 'uploaded files',
  group: 'groups',
  group_member: 'members of groups',
  idpsync_settings: 'settings of identity provider sync',
  license: 'licenses',
  notification_message: 'notifications',
  notification_preference: 'notification preferences',
  notification_template: 'notification templates',
  oauth2_app: 'OAuth2 applications',
  oauth2_app_code_token: 'the access of OAuth2 applications',
  oauth2_app_secret: 'secrets of OAuth2 applications',
  organization: 'organizations',
  organization_member: 'members of organizations',
  provisioner_daemon: 'provisioners',
  provisioner_keys: 'provisioner keys',
  replicas: 'replicas of the server',
  system: 'internals of the server',
  tailnet_coordinator: 'network coordination',
  template: 'templates',
  user: 'accounts',
  workspace: 'workspaces',
  workspace_dormant: 'dormant workspaces',
  workspace_proxy: 'workspace proxies',
};

const VERBS: Readonly<Record<string, string>> = {
  application_connect: 'Open the apps of',
  assign: 'Give',
  create: 'Create',
  delete: 'Delete',
  read: 'Read',
  read_personal: 'Read personal settings of',
  ssh: 'Open terminals and connections to',
  start: 'Start',
  stop: 'Stop',
  update: 'Change',
  update_personal: 'Change personal settings of',
  view_insights: 'Read usage of',
};

function describe(name: string): string {
  if (isNamed(name)) return NAMED_SENTENCES[name];
  if (!isPermission(name)) return name;
  return sentence(name);
}

function sentence(permission: Permission): string {
  const { type, action } = permissionParts(permission);
  return `${VERBS[action] ?? action} ${NOUNS[type]}, as far as you may.`;
}
