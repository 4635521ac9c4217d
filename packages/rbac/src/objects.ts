import type { Acl, ObjectRef } from './authorize.ts';

/**
 * How rows are seen by the permission rules. Things that belong to another thing are judged as that thing: a build as its workspace, a
 * version as its template, a git key or a user link as its user.
 */

/** A user, and whatever is personal to one: git key, external links, preferences of the account. */
export function userObject(userId: string): ObjectRef<'user'> {
  return { type: 'user', id: userId, owner: userId };
}

export interface WorkspaceFacts {
  readonly id?: string;
  readonly ownerId: string;
  readonly organizationId: string;
  readonly dormantAt?: Date | string | null;
}

/** A workspace, and its builds, resources and agents. Dormant ones are a type of their own, with fewer actions granted. */
export function workspaceObject(workspace: WorkspaceFacts): ObjectRef<'workspace' | 'workspace_dormant'> {
  const isDormant = workspace.dormantAt !== undefined && workspace.dormantAt !== null;
  return {
    type: isDormant ? 'workspace_dormant' : 'workspace',
    id: workspace.id ?? null,
    owner: workspace.ownerId,
    organizationId: workspace.organizationId,
  };
}

export interface TemplateFacts {
  readonly id?: string;
  readonly organizationId: string;
  readonly userAcl?: Acl;
  readonly groupAcl?: Acl;
}

/** A template and its versions; a version without a template is judged as a template of its organization without ACLs. */
export function templateObject(template: TemplateFacts): ObjectRef<'template'> {
  return {
    type: 'template',
    id: template.id ?? null,
    organizationId: template.organizationId,
    userAcl: template.userAcl ?? {},
    groupAcl: template.groupAcl ?? {},
  };
}

/** A group: its own members may read it. */
export function groupObject(group: { readonly id: string; readonly organizationId: string }): ObjectRef<'group'> {
  return { type: 'group', id: group.id, organizationId: group.organizationId, groupAcl: { [group.id]: ['read'] } };
}

/** One member of a group, as seen in the group's list. */
export function groupMemberObject(member: { readonly userId: string; readonly organizationId: string }): ObjectRef<'group_member'> {
  return { type: 'group_member', id: member.userId, owner: member.userId, organizationId: member.organizationId };
}

export function organizationObject(organizationId: string): ObjectRef<'organization'> {
  return { type: 'organization', id: organizationId, organizationId };
}

export function organizationMemberObject(member: {
  readonly userId: string;
  readonly organizationId: string;
}): ObjectRef<'organization_member'> {
  return { type: 'organization_member', id: member.userId, owner: member.userId, organizationId: member.organizationId };
}

export function fileObject(file: { readonly id?: string; readonly createdBy: string }): ObjectRef<'file'> {
  return { type: 'file', id: file.id ?? null, owner: file.createdBy };
}

export function apiKeyObject(key: { readonly id?: string; readonly userId: string }): ObjectRef<'api_key'> {
  return { type: 'api_key', id: key.id ?? null, owner: key.userId };
}

/** An audit row; rows about site-wide things have no organization. */
export function auditLogObject(organizationId: string | null): ObjectRef<'audit_log'> {
  return { type: 'audit_log', organizationId };
}

/** A provisioner daemon. One that serves a single user's jobs belongs to that user. */
export function provisionerDaemonObject(daemon: {
  readonly id?: string;
  readonly organizationId: string;
  readonly ownerId?: string | null;
}): ObjectRef<'provisioner_daemon'> {
  return { type: 'provisioner_daemon', id: daemon.id ?? null, owner: daemon.ownerId ?? null, organizationId: daemon.organizationId };
}
