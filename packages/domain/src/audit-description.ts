import type { AuditAction, AuditResourceType } from './enums.ts';

const PAST_TENSE: Readonly<Record<AuditAction, string>> = {
  create: 'created',
  write: 'updated',
  delete: 'deleted',
  start: 'started',
  stop: 'stopped',
  login: 'logged in',
  logout: 'logged out',
  register: 'registered',
  request_password_reset: 'password reset requested',
};

const INFINITIVE: Readonly<Record<AuditAction, string>> = {
  create: 'create',
  write: 'update',
  delete: 'delete',
  start: 'start',
  stop: 'stop',
  login: 'log in',
  logout: 'log out',
  register: 'register',
  request_password_reset: 'request a password reset',
};

const RESOURCE_WORDS: Readonly<Record<AuditResourceType, string>> = {
  template: 'template',
  template_version: 'template version',
  user: 'user',
  workspace: 'workspace',
  workspace_build: 'workspace',
  git_ssh_key: 'git ssh key',
  api_key: 'token',
  group: 'group',
  license: 'license',
  convert_login: 'login type conversion',
  health_settings: 'health_settings',
  notifications_settings: 'notifications_settings',
  workspace_proxy: 'workspace proxy',
  organization: 'organization',
  oauth2_provider_app: 'oauth2 app',
  oauth2_provider_app_secret: 'oauth2 provider app secret',
  custom_role: 'custom role',
  organization_member: 'organization member',
  notification_template: 'notification template',
  idp_sync_settings: 'identity provider sync settings',
  external_auth_link: 'external account',
  user_identity: 'sign-on account',
  oauth2_provider_app_token: 'access of oauth2 app',
  provisioner_key: 'provisioner key',
  saved_search: 'saved search',
  appearance: 'appearance',
  audit_export: 'export of the audit log',
};

/** What an action is called once it has been done: "updated", "logged in". */
export function auditActionPastTense(action: AuditAction): string {
  return PAST_TENSE[action];
}

/** What a resource type is called in a sentence. */
export function auditResourceWord(resourceType: AuditResourceType): string {
  return RESOURCE_WORDS[resourceType];
}

export interface AuditFacts {
  readonly action: AuditAction;
  readonly resourceType: AuditResourceType;
  readonly statusCode: number;
}

/**
 * One sentence about an audit row, with the placeholders `{user}` (who did it) and `{target}` (the name of the thing), for example
 * "{user} updated template {target}". Attempts that were refused say so.
 */
export function auditDescription({ action, resourceType, statusCode }: AuditFacts): string {
  const verb = statusCode >= 400 ? `unsuccessfully attempted to ${INFINITIVE[action]}` : PAST_TENSE[action];
  // Anybody who knows an address can ask for a reset, so the row does not claim that the user did.
  if (action === 'request_password_reset') return `${verb} for {target}`;
  // By a share: it is somebody else's.
  if (resourceType === 'workspace' && action === 'login') return `{user} entered workspace {target}`;
  const isSignIn = action === 'login' || action === 'logout' || action === 'register';
  if (resourceType === 'api_key' && isSignIn) return `{user} ${verb}`;
  const words = `{user} ${verb} ${RESOURCE_WORDS[resourceType]}`;
  if (resourceType === 'git_ssh_key') return words;
  return `${words}${resourceType === 'convert_login' ? ' to' : ''} {target}`;
}

export interface AuditLinkFacts {
  readonly resourceType: AuditResourceType;
  readonly target: string;
  readonly isDeleted: boolean;
  /** Of workspaces and builds. */
  readonly workspaceOwner?: string;
  /** Of builds. */
  readonly workspaceName?: string;
  readonly buildNumber?: number | string;
  /** Of OAuth2 applications and their secrets. */
  readonly appId?: string;
}

/** The dashboard path of the thing in an audit row; empty when it is gone or has no page of its own. */
export function auditResourceLink(facts: AuditLinkFacts): string {
  if (facts.isDeleted) return '';
  const target = encodeURIComponent(facts.target);
  const { workspaceOwner, workspaceName, buildNumber, appId } = facts;
  switch (facts.resourceType) {
    case 'template':
      return `/templates/${target}`;
    case 'user':
      return `/users?filter=${target}`;
    case 'workspace':
      return workspaceOwner === undefined ? '' : `/@${encodeURIComponent(workspaceOwner)}/${target}`;
    case 'workspace_build':
      if (workspaceOwner === undefined || workspaceName === undefined || buildNumber === undefined) return '';
      return `/@${encodeURIComponent(workspaceOwner)}/${encodeURIComponent(workspaceName)}/builds/${buildNumber}`;
    case 'oauth2_provider_app':
    case 'oauth2_provider_app_secret':
      return appId === undefined ? '' : `/deployment/oauth2-provider/apps/${appId}`;
    case 'template_version':
    case 'git_ssh_key':
    case 'api_key':
    case 'group':
    case 'license':
    case 'convert_login':
    case 'health_settings':
    case 'notifications_settings':
    case 'workspace_proxy':
    case 'organization':
    case 'custom_role':
    case 'organization_member':
    case 'notification_template':
    case 'idp_sync_settings':
    case 'external_auth_link':
    case 'user_identity':
    case 'oauth2_provider_app_token':
    case 'provisioner_key':
    case 'saved_search':
    case 'appearance':
    case 'audit_export':
      return '';
  }
}
