import { defineCommand, required } from '../frame/declare.ts';
import { asRefusal } from '../frame/errors.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { refreshed } from '../workspaces/build-workspace.ts';

export const rename = defineCommand({
  name: 'rename',
  summary: 'Rename a workspace, where the server allows it',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }), newName: required('Its new name') },
  options: {},
  fields: { name: '<new-name>' },
  examples: ['berth rename dev web'],
  prints: true,
  async run(cli, { args }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    await asRefusal(cli.session().client.workspaces.update.mutate({ workspace: workspace.id, name: args.newName }));
    const now = await refreshed(cli, workspace);
    await cli.out.done(`${refOf(workspace)} is now called ${refOf(now)}.`, now);
  },
});
