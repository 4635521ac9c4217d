import { conflict, forbidden, invalidField } from '@berth/core';
import type { AuditAction, Transition } from '@berth/domain';
import { buildProblem, buildStatus } from '@berth/domain';
import { ProvisionerType, stateProblem } from '@berth/protocol';
import type { UserCall } from '../kernel/procedures.ts';
import { requireQuota } from '../quotas/index.ts';
import type { TemplateFactsRow, WorkspaceFactsRow } from './build-facts.ts';
import { lockWorkspaceFacts, templateRef, workspaceRef } from './build-facts.ts';
import { resolveBuildParameters } from './build-parameters.ts';
import type { CreateBuild, WorkspaceBuild } from './contract.ts';
import { forgetDryRun, requireProvisioner, startDryRun } from './dry-run.ts';
import { insertBuild } from './insert-build.ts';
import { loadOwnBuild } from './read-builds.ts';
import type { BuildVersionRow } from './version-for-build.ts';
import { loadVersionForBuild } from './version-for-build.ts';

/** The audit action of each transition: what the row of the build will say when it ends. */
const AUDIT_ACTION_OF = { start: 'start', stop: 'stop', delete: 'delete' } as const satisfies Record<Transition, AuditAction>;

/**
 * Makes the next build of a workspace, or with `dry_run` only answers it. Of several at once for one workspace exactly one is made;
 * the others are refused as a conflict.
 */
export async function createBuild(call: UserCall, input: CreateBuild): Promise<WorkspaceBuild> {
  return createBuildFrom(call, input, stateBytes(input.state));
}

/** The same, starting from this state; null takes over that of the build before. */
export async function createBuildFrom(call: UserCall, input: CreateBuild, state: Uint8Array<ArrayBuffer> | null): Promise<WorkspaceBuild> {
  const workspace = await lockWorkspaceFacts(call.db, input.workspace);
  call.authorize.require(workspaceRef(workspace));
  if (input.dry_run !== true) recordAttempt(call, workspace, input.transition);

  requireSoundBody(input);
  requireBasicRights(call, workspace, { ...input, replacesState: state !== null || input.orphan === true });
  const versionId = input.template_version_id ?? workspace.latestBuild?.templateVersionId ?? workspace.template.activeVersionId;
  const version = await loadVersionForBuild(call.db, versionId, workspace.template.id);
  requireState(version, state);
  requireIdle(workspace);
  requireTransitionRight(call, workspace, input.transition);
  requireActiveVersion(call, workspace.template, { transition: input.transition, versionId: version.id });
  const parameters = await resolveBuildParameters(call.db, {
    versionId: version.id,
    requested: input.rich_parameter_values ?? [],
    previous: workspace.latestBuild?.parameters ?? [],
  });
  await requireQuota(call.db, {
    workspace,
    versionId: version.id,
    transition: input.transition,
    previousCost: workspace.latestBuild?.dailyCost ?? null,
  });

  const build = {
    workspace,
    version,
    previous: workspace.latestBuild,
    transition: input.transition,
    reason: 'initiator',
    initiatorId: call.principal.userId,
    parameters,
    logLevel: input.log_level ?? '',
    state: input.orphan === true ? new Uint8Array() : state,
    request: call.request,
  } as const;
  if (input.dry_run === true) {
    await requireProvisioner(call, workspace, version);
    await startDryRun(call.db);
    const planned = await loadOwnBuild(call, await insertBuild(call.db, call.services, build));
    await forgetDryRun(call.db);
    return planned;
  }
  const made = await loadOwnBuild(call, await insertBuild(call.db, call.services, build));
  // The row about a build that was made is written when it ends, with its outcome (`provisioner-api`).
  call.audit.discard();
  return made;
}

/** Names the refused attempt: there is no build to point at, so the row points at the workspace. */
function recordAttempt(call: UserCall, workspace: WorkspaceFactsRow, transition: Transition): void {
  const buildNumber = (workspace.latestBuild?.buildNumber ?? 0) + 1;
  call.audit.set({
    resourceId: workspace.id,
    target: workspace.name,
    organizationId: workspace.organizationId,
    action: AUDIT_ACTION_OF[transition],
    buildReason: 'initiator',
    additionalFields: {
      workspace_name: workspace.name,
      workspace_id: workspace.id,
      workspace_owner: workspace.owner.username,
      build_number: String(buildNumber),
      build_reason: 'initiator',
    },
  });
}

function requireSoundBody({ orphan, transition, state }: CreateBuild): void {
  if (orphan !== true) return;
  if (transition !== 'delete') throw invalidField('orphan', 'is only for the transition delete');
  if (state !== undefined) throw invalidField('state', 'cannot be given together with orphan');
}

function requireBasicRights(
  call: UserCall,
  workspace: WorkspaceFactsRow,
  { transition, replacesState, log_level }: CreateBuild & { readonly replacesState: boolean },
): void {
  const needed = transition === 'delete' ? 'delete' : 'update';
  if (!call.authorize.can(needed, workspaceRef(workspace))) throw forbidden();
  if (replacesState && !call.authorize.can('update', templateRef(workspace.template))) {
    throw forbidden('State and orphan are for those who may update the template.');
  }
  if (log_level === 'debug' && !call.authorize.can('read', { type: 'deployment_config' })) {
    throw invalidField('log_level', 'is for those who may read the configuration of the deployment');
  }
}

/** What the driver cannot read would break the workspace until it is orphaned. */
function requireState(version: BuildVersionRow, state: Uint8Array | null): void {
  const driver = ProvisionerType.safeParse(version.job.provisioner);
  const problem = state === null || !driver.success ? null : stateProblem(driver.data, state);
  if (problem !== null) throw invalidField('state', problem);
}

function requireIdle({ deleted, latestBuild }: WorkspaceFactsRow): void {
  if (deleted) throw conflict('The workspace has been deleted.');
  if (latestBuild === null) return;
  // The column carries a check constraint with these very values.
  const status = buildStatus(latestBuild.job, latestBuild.transition as Transition);
  const problem = buildProblem(status);
  if (problem === 'active') throw conflict('Another build of this workspace is under way. Wait for it, or cancel it.');
  if (problem === 'deleted') throw conflict('The workspace has been deleted.');
}

/** A dormant workspace is of a type of its own whose `start` nobody is granted: it must be woken up first. */
function requireTransitionRight(call: UserCall, workspace: WorkspaceFactsRow, transition: Transition): void {
  if (call.authorize.can(transition, workspaceRef(workspace))) return;
  throw forbidden(
    workspace.dormantAt !== null && transition === 'start' ? 'The workspace is dormant. Activate it before you start it.' : undefined,
  );
}

export interface VersionChoice {
  readonly transition: Transition;
  readonly versionId: string;
}

/** Where a template insists on its active version, only its administrators start another one. */
export function requireActiveVersion(call: UserCall, template: TemplateFactsRow, { transition, versionId }: VersionChoice): void {
  if (transition !== 'start' || !template.requireActiveVersion || versionId === template.activeVersionId) return;
  if (!call.authorize.can('update', templateRef(template))) {
    throw forbidden('This template starts workspaces on its active version only.');
  }
}

/** Null means that the state of the build before is taken over. */
function stateBytes(state: CreateBuild['state']): Uint8Array<ArrayBuffer> | null {
  if (state === undefined) return null;
  return typeof state === 'string' ? new Uint8Array(Buffer.from(state, 'base64')) : Uint8Array.from(state);
}
