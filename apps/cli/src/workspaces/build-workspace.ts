import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { ParameterValue, Transition } from '@berth/domain';
import { isBuildActive } from '@berth/domain';
import type { Cli } from '../frame/cli.ts';
import { flag } from '../frame/declare.ts';
import { refOf } from '../frame/workspace-ref.ts';
import { followBuild } from './follow-build.ts';

/** For every command that makes a build. */
export const WAIT_OPTIONS = { noWait: flag('--no-wait', 'Do not wait for the build to end') };

export interface BuildRequest {
  readonly workspace: Workspace;
  readonly transition: Transition;
  readonly versionId?: string;
  readonly parameters?: readonly ParameterValue[];
  readonly orphan?: boolean;
  readonly noWait: boolean;
}

/** Makes a build and, unless told otherwise, tells of it until it ends. */
export async function buildWorkspace(cli: Cli, request: BuildRequest): Promise<WorkspaceBuild> {
  const { workspace, transition, versionId, parameters, orphan = false, noWait } = request;
  const build = await cli.session().client.builds.create.mutate({
    workspace: workspace.id,
    transition,
    ...(versionId === undefined ? {} : { template_version_id: versionId }),
    ...(parameters === undefined ? {} : { rich_parameter_values: [...parameters] }),
    ...(orphan ? { orphan } : {}),
  });
  return noWait ? build : followBuild(cli, build);
}

/**
 * Follows a build that is under way already when it leads where the caller wants to go: two people who start a workspace both get it
 * started. Answers null when there is none.
 */
export async function joinBuild(cli: Cli, workspace: Workspace, transition: Transition, noWait: boolean): Promise<WorkspaceBuild | null> {
  const build = workspace.latest_build;
  if (!isBuildActive(build.status) || build.status === 'canceling' || build.transition !== transition) return null;
  cli.out.note(`${refOf(workspace)} has a build under way that does just this.`);
  return noWait ? build : followBuild(cli, build);
}

/** The workspace as it is now, for what a command prints at its end. */
export async function refreshed(cli: Cli, workspace: Pick<Workspace, 'id'>): Promise<Workspace> {
  return cli.session().client.workspaces.get.query({ workspace: workspace.id, include_deleted: true });
}
