import { defineCommand, flag, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { buildWorkspace, joinBuild, refreshed, WAIT_OPTIONS } from '../workspaces/build-workspace.ts';

export const remove = defineCommand({
  name: 'delete',
  aliases: ['rm'],
  summary: 'Delete a workspace and everything in it',
  description: 'Deletes a workspace with all of its data. This cannot be undone, so it asks you to type the name; --yes skips that.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {
    yes: flag('-y, --yes', 'Do not ask'),
    orphan: flag('--orphan', 'Delete it without destroying its resources (for template administrators)'),
    ...WAIT_OPTIONS,
  },
  examples: ['berth delete dev', 'berth delete ada/dev --yes', 'berth delete dev --orphan --yes'],
  prints: true,
  async run(cli, { args, options }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const ref = refOf(workspace);
    const what = options.orphan ? `This deletes ${ref} without destroying its resources.` : `This deletes ${ref} and everything in it.`;
    await cli.ask.confirmByName({ what, name: workspace.name, isSure: options.yes });
    const joined = await joinBuild(cli, workspace, 'delete', options.noWait);
    if (joined === null) await buildWorkspace(cli, { workspace, transition: 'delete', orphan: options.orphan, noWait: options.noWait });
    await cli.out.done(`${ref} is ${options.noWait ? 'being deleted' : 'deleted'}.`, await refreshed(cli, workspace));
  },
});
