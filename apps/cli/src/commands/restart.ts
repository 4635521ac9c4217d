import { defineCommand, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { buildWorkspace, refreshed } from '../workspaces/build-workspace.ts';
import { wake } from '../workspaces/wake.ts';

export const restart = defineCommand({
  name: 'restart',
  summary: 'Stop a workspace and start it again',
  description:
    'Stops a workspace, starts it again, and waits until it runs and its start scripts have ended; when one fails, the exit code is 1.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {},
  examples: ['berth restart dev', 'berth restart ada/dev -o json'],
  prints: true,
  async run(cli, { args }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    if (workspace.latest_build.status !== 'stopped') await buildWorkspace(cli, { workspace, transition: 'stop', noWait: false });
    await wake(cli, workspace);
    await buildWorkspace(cli, { workspace, transition: 'start', noWait: false });
    await cli.out.done(`${refOf(workspace)} is running.`, await refreshed(cli, workspace));
  },
});
