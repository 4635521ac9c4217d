import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { ParameterValue, Transition } from '@berth/domain';
import { isBuildActive } from '@berth/domain';
import type { Cli } from '../frame/cli.ts';
import { flag } from '../frame/declare.ts';
import { refOf } from '../frame/workspace-ref.ts';
import { followBuild } from './follow-build.ts';
import { followStartScripts } from './follow-scripts.ts';

/** For commands that stop or delete. */
export const WAIT_OPTIONS = { noWait: flag('--no-wait', 'Do not wait for the build to end') };
/** For commands that start. */
export const START_WAIT_OPTIONS = { noWait: flag('--no-wait', 'Do not wait for the build and the start scripts to end') };

export interface BuildRequest {
  readonly workspace: Workspace;
  readonly transition: Transition;
  readonly versionId?: string;
  readonly parameters?: readonly ParameterValue[];
  readonly orphan?: boolean;
  readonly noWait: boolean;
}

/** Makes a build and, unless told otherwise, follows it to its end. */
export async function buildWorkspace(cli: Cli, request: BuildRequest): Promise<WorkspaceBuild> {
  const { workspace, transition, versionId, parameters, orphan = false, noWait } = request;
  const build = await cli.session().client.builds.create.mutate({
    workspace: workspace.id,
    transition,
    ...(versionId === undefined ? {} : { template_version_id: versionId }),
    ...(parameters === undefined ? {} : { rich_parameter_values: [...parameters] }),
    ...(orphan ? { orphan } : {}),
  });
  return noWait ? build : followToEnd(cli, build);
}

/** Follows a build until it ends and, when it starts the workspace, until the start scripts have ended, too. */
export async function followToEnd(cli: Cli, build: WorkspaceBuild): Promise<WorkspaceBuild> {
  const ended = await followBuild(cli, build);
  if (ended.transition === 'start') await followStartScripts(cli, ended);
  return ended;
}

/**
 * Follows a build that is under way already when it leads where the caller wants to go: two people who start a workspace both get it
 * started. Answers null when there is none.
 */
export async function joinBuild(cli: Cli, workspace: Workspace, transition: Transition, noWait: boolean): Promise<WorkspaceBuild | null> {
  const build = workspace.latest_build;
  if (!isBuildActive(build.status) || build.status === 'canceling' || build.transition !== transition) return null;
  cli.out.note(`${refOf(workspace)} already has this build in progress. Following it.`);
  return noWait ? build : followToEnd(cli, build);
}

/** The workspace as it is now, for what a command prints at its end. */
export async function refreshed(cli: Cli, workspace: Pick<Workspace, 'id'>): Promise<Workspace> {
  return cli.session().client.workspaces.get.query({ workspace: workspace.id, include_deleted: true });
}
