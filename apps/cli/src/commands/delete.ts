import { defineCommand, flag, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { buildWorkspace, joinBuild, refreshed, WAIT_OPTIONS } from '../workspaces/build-workspace.ts';

export const remove = defineCommand({
  name: 'delete',
  aliases: ['rm'],
  summary: 'Delete a workspace and everything in it',
  description: 'Destroys what belongs to a workspace and deletes it. That cannot be undone, so you type its name, or give --yes.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {
    yes: flag('-y, --yes', 'Do not ask'),
    orphan: flag('--orphan', 'Forget its resources instead of destroying them (for administrators of the template)'),
    ...WAIT_OPTIONS,
  },
  examples: ['berth delete dev', 'berth delete ada/dev --yes', 'berth delete dev --orphan --yes'],
  prints: true,
  async run(cli, { args, options }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const ref = refOf(workspace);
    const what = options.orphan
      ? `This forgets ${ref}, and leaves its resources where they are.`
      : `This destroys ${ref} and everything in it.`;
    await cli.ask.confirmByName({ what, name: workspace.name, isSure: options.yes });
    const joined = await joinBuild(cli, workspace, 'delete', options.noWait);
    if (joined === null) await buildWorkspace(cli, { workspace, transition: 'delete', orphan: options.orphan, noWait: options.noWait });
    await cli.out.done(`${ref} is ${options.noWait ? 'being deleted' : 'deleted'}.`, await refreshed(cli, workspace));
  },
});
