import { defineCommand, flag, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { refreshed } from '../workspaces/build-workspace.ts';

export const favorite = defineCommand({
  name: 'favorite',
  summary: 'Add a workspace to your favorites, which are listed first',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: { remove: flag('--remove', 'Remove it from your favorites') },
  examples: ['berth favorite dev', 'berth favorite dev --remove'],
  prints: true,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const path = { workspace: workspace.id };
    await (options.remove ? client.workspaces.unfavorite.mutate(path) : client.workspaces.favorite.mutate(path));
    await cli.out.done(`${refOf(workspace)} is ${options.remove ? 'no longer' : 'now'} a favorite.`, await refreshed(cli, workspace));
  },
});
