import type { AuditAction, AuditResourceType } from '@berth/domain';
import type { Permission } from '@berth/rbac';
import type { RouteMeta } from './route.ts';

/**
 * Who may call a procedure.
 * - a permission: a signed-in user, and the procedure must put the question to `ctx.authorize` (or filter its list by it) before it answers;
 * - `public`: anyone; `signed-in`: any user, about themselves only;
 * - `agent`, `provisioner`: the principal itself, whose rows are found by its own credential;
 * - `scim`: the identity provider of the settings, for accounts and groups of the default organization.
 */
export type PermissionFact = Permission | 'public' | 'signed-in' | 'agent' | 'provisioner' | 'scim';

/** What a mutation records, or why it records nothing. */
export type AuditFact = { readonly resource: AuditResourceType; readonly action: AuditAction } | { readonly none: string };

/** The facts of a procedure: data, never code. Walked by tests, by REST and by the published document. */
export interface Meta extends Partial<RouteMeta>, Record<string, unknown> {
  readonly permission?: PermissionFact;
  readonly audit?: AuditFact;
  /** Why a mutation runs on the pool and not in one transaction: it waits for something. What it changes, it changes by `atomically`. */
  readonly untransacted?: string;
}
