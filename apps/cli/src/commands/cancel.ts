import { isJobActive } from '@berth/domain';
import { defineCommand, required } from '../frame/declare.ts';
import { conflictError } from '../frame/errors.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { refreshed } from '../workspaces/build-workspace.ts';

export const cancel = defineCommand({
  name: 'cancel',
  summary: 'Cancel the build of a workspace that is in progress',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {},
  examples: ['berth cancel dev'],
  prints: true,
  async run(cli, { args }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    if (!isJobActive(workspace.latest_build.job.status)) {
      throw conflictError(`${refOf(workspace)} has no build in progress to cancel.`, { next: `See: berth show ${args.workspace}` });
    }
    await cli.session().client.builds.cancel.mutate({ workspacebuild: workspace.latest_build.id });
    await cli.out.done(`The build of ${refOf(workspace)} is being canceled.`, await refreshed(cli, workspace));
  },
});
