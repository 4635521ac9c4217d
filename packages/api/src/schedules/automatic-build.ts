import { DomainError, conflict, forbidden, invalid, newId } from '@berth/core';
import type { Tx } from '@berth/db';
import type { BuildReason, ParameterValue, Transition } from '@berth/domain';
import { can } from '@berth/rbac';
import { readSubject } from '../auth/subject-row.ts';
import type { BuildVersionRow, WorkspaceFactsRow } from '../builds/index.ts';
import { insertBuild, loadVersionForBuild, resolveBuildParameters, workspaceRef } from '../builds/index.ts';
import type { RequestFacts, Services } from '../kernel/context.ts';
import { requireQuota } from '../quotas/index.ts';

/** A request that nobody sent: what the server does by itself comes from itself. */
export function ownRequest(): RequestFacts {
  return { requestId: newId(), ip: '127.0.0.1', userAgent: '' };
}

export interface AutomaticBuild {
  readonly workspace: WorkspaceFactsRow;
  readonly transition: Transition;
  readonly reason: BuildReason;
  /** Whether a start takes the active version of the template where it can. */
  readonly prefersActiveVersion: boolean;
}

/**
 * Queues the build that a rule asks for, in the name of the workspace's owner. A start is held to everything that the owner's own would
 * be: their permission, the version and its parameters, the quota. Answers what is worth knowing about it, or nothing.
 *
 * @throws what the owner would be told.
 */
export async function makeAutomaticBuild(db: Tx, services: Services, build: AutomaticBuild): Promise<string> {
  const { workspace, transition, reason } = build;
  const previous = workspace.latestBuild;
  if (previous === null) throw conflict('The workspace was never built.');
  const { version, parameters, note } = transition === 'start' ? await planStart(db, build) : await planEnd(db, workspace);
  await requireQuota(db, { workspace, versionId: version.id, transition, previousCost: previous.dailyCost });
  await insertBuild(db, services, {
    workspace,
    version,
    previous,
    transition,
    reason,
    initiatorId: workspace.ownerId,
    parameters,
    logLevel: '',
    state: null,
    request: ownRequest(),
  });
  return note;
}

interface Plan {
  readonly version: BuildVersionRow;
  readonly parameters: readonly ParameterValue[];
  readonly note: string;
}

/**
 * A start on the active version where the template or the workspace asks for it. What only the workspace asks for (automatic updates)
 * gives way to a start on its own version when the active one cannot be started; what the template demands does not.
 */
async function planStart(db: Tx, { workspace, prefersActiveVersion }: AutomaticBuild): Promise<Plan> {
  const { template, latestBuild } = workspace;
  const owner = await readSubject(db, workspace.ownerId);
  if (owner === null || !can(owner.subject, 'start', workspaceRef(workspace))) {
    throw forbidden('Its owner may not start it.');
  }
  const current = latestBuild?.templateVersionId ?? template.activeVersionId;
  const takesActive = template.requireActiveVersion || prefersActiveVersion;
  if (!takesActive || current === template.activeVersionId) return planVersion(db, workspace, current);
  try {
    return await planVersion(db, workspace, template.activeVersionId);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const problem = `The active version of its template cannot be started by itself: ${sentenceOf(error)}`;
    if (template.requireActiveVersion) throw invalid(problem);
    const plan = await planVersion(db, workspace, current);
    return { ...plan, note: `${problem} It was started on its present version, ${plan.version.name}.` };
  }
}

async function planVersion(db: Tx, { template, latestBuild }: WorkspaceFactsRow, versionId: string): Promise<Plan> {
  const version = await loadVersionForBuild(db, versionId, template.id);
  if (version.archived && versionId !== latestBuild?.templateVersionId) throw invalid('the version is archived');
  const parameters = await resolveBuildParameters(db, { versionId, requested: [], previous: latestBuild?.parameters ?? [] });
  return { version, parameters, note: '' };
}

/** A stop or a delete on the version that was built: values that it does not take any more must not keep a workspace running. */
async function planEnd(db: Tx, { template, latestBuild }: WorkspaceFactsRow): Promise<Plan> {
  const version = await loadVersionForBuild(db, latestBuild?.templateVersionId ?? template.activeVersionId, template.id);
  const previous = latestBuild?.parameters ?? [];
  try {
    return { version, parameters: await resolveBuildParameters(db, { versionId: version.id, requested: [], previous }), note: '' };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid') return { version, parameters: previous, note: '' };
    throw error;
  }
}

/** A refusal in one line, each field with its reason. */
export function sentenceOf({ message, validations }: DomainError): string {
  return [message, ...validations.map(({ field, detail }) => `${field}: ${detail}`)].join(' ');
}
