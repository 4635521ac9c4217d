import { defineCommand, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { buildWorkspace, joinBuild, refreshed, WAIT_OPTIONS } from '../workspaces/build-workspace.ts';

export const stop = defineCommand({
  name: 'stop',
  summary: 'Stop a workspace',
  description: 'Stops a workspace and waits until it is stopped; one that is already stopped is left alone.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: WAIT_OPTIONS,
  examples: ['berth stop dev', 'berth stop ada/dev --no-wait'],
  prints: true,
  async run(cli, { args, options }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const ref = refOf(workspace);
    if (workspace.latest_build.status === 'stopped') return cli.out.done(`${ref} is already stopped.`, workspace);
    const joined = await joinBuild(cli, workspace, 'stop', options.noWait);
    if (joined === null) await buildWorkspace(cli, { workspace, transition: 'stop', ...options });
    await cli.out.done(`${ref} is ${options.noWait ? 'stopping' : 'stopped'}.`, await refreshed(cli, workspace));
  },
});
