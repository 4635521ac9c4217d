import { forbidden } from '@berth/core';
import type { Transition } from '@berth/domain';
import { buildStatus } from '@berth/domain';
import { NO_ROWS } from '@berth/rbac';
import type { z } from 'zod';
import type { WorkspaceFactsRow } from '../../builds/index.ts';
import { createBuild, lockWorkspaceFacts, workspaceRef } from '../../builds/index.ts';
import type { UserCall } from '../../kernel/procedures.ts';
import type { BulkResult, BulkResults, BulkWorkspaces } from './contract.ts';

type Input = z.output<typeof BulkWorkspaces>;

/**
 * Makes a build for each workspace, in the order of the request: each in a transaction of its own, with its own permission check and
 * audit row. One that is refused does not hold up the others. With `dry_run`, answers what would happen.
 *
 * @throws forbidden when the caller's key reaches no workspace at all.
 */
export async function changeWorkspaces(call: UserCall, input: Input): Promise<BulkResults> {
  // Each workspace is judged for itself; whoever could read none of any kind, such as a key without the permission, is refused at once.
  if (call.authorize.scope() === NO_ROWS) throw forbidden();
  const results: BulkResult[] = [];
  for (const id of input.workspace_ids) {
    const attempt = await call.attempt((db) => changeOne({ ...call, db }, id, input));
    results.push(
      attempt.ok
        ? attempt.value
        : {
            workspace_id: id,
            status: 'refused',
            build_id: null,
            error: { kind: attempt.report.kind, message: attempt.report.message },
          },
    );
  }
  return { results };
}

async function changeOne(call: UserCall, id: string, { action, dry_run }: Input): Promise<BulkResult> {
  const workspace = await lockWorkspaceFacts(call.db, id);
  call.authorize.require(workspaceRef(workspace));
  const done = { workspace_id: id, build_id: null, error: null };
  if (isAlready(workspace, action)) return { ...done, status: 'unchanged' };
  const isDryRun = dry_run === true;
  const build = await createBuild(call, {
    workspace: id,
    transition: action === 'update' ? 'start' : action,
    dry_run: isDryRun,
    ...(action === 'update' ? { template_version_id: workspace.template.activeVersionId } : {}),
  });
  return { ...done, status: 'ok', build_id: isDryRun ? null : build.id };
}

/** Whether the workspace is as the action would make it. */
function isAlready({ latestBuild, template, deleted }: WorkspaceFactsRow, action: Input['action']): boolean {
  if (latestBuild === null || deleted) return false;
  // The column carries a check constraint with these very values.
  const status = buildStatus(latestBuild.job, latestBuild.transition as Transition);
  switch (action) {
    case 'start':
      return status === 'running';
    case 'stop':
      return status === 'stopped';
    case 'update':
      return latestBuild.templateVersionId === template.activeVersionId;
    case 'delete':
      return false;
  }
}
