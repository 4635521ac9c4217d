import { defineCommand, flag, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { buildWorkspace, refreshed, START_WAIT_OPTIONS } from '../workspaces/build-workspace.ts';
import { gatherParameters, PARAMETER_OPTIONS } from '../workspaces/parameters.ts';
import { wake } from '../workspaces/wake.ts';

export const update = defineCommand({
  name: 'update',
  summary: 'Start a workspace on the newest version of its template',
  description:
    'Builds a workspace on its template’s active version and waits until it runs and its start scripts have ended; when one fails, the exit code is 1. New parameters of that version are asked for; the others keep their values.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {
    ...PARAMETER_OPTIONS,
    askAll: flag('--ask-all', 'Ask for every parameter that can be changed, not only for new ones'),
    ...START_WAIT_OPTIONS,
  },
  fields: { rich_parameter_values: '--parameter' },
  examples: ['berth update dev', 'berth update dev --parameter image=node-24 --yes', 'berth update dev --ask-all'],
  prints: true,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const ref = refOf(workspace);
    const isChanged = options.askAll || options.parameter.length > 0 || options.parameterFile !== undefined;
    if (!workspace.outdated && !isChanged) return cli.out.done(`${ref} is already on the active version.`, workspace);
    const versionId = workspace.template_active_version_id;
    const previous = await client.builds.parameters.query({ workspacebuild: workspace.latest_build.id });
    const parameters = await gatherParameters(cli, options, { versionId, previous, onlyNew: !options.askAll });
    await wake(cli, workspace);
    await buildWorkspace(cli, { workspace, transition: 'start', versionId, parameters, noWait: options.noWait });
    const now = await refreshed(cli, workspace);
    await cli.out.done(`${ref} is ${options.noWait ? 'starting' : 'running'} on version ${now.latest_build.template_version_name}.`, now);
  },
});
