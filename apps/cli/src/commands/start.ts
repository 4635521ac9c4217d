import { defineCommand, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { buildWorkspace, joinBuild, refreshed, START_WAIT_OPTIONS } from '../workspaces/build-workspace.ts';
import { gatherParameters, PARAMETER_OPTIONS } from '../workspaces/parameters.ts';
import { wake } from '../workspaces/wake.ts';

export const start = defineCommand({
  name: 'start',
  summary: 'Start a workspace',
  description:
    'Starts a workspace and waits until it runs and its start scripts have ended; when one fails, the exit code is 1. A workspace that is already running is left alone, unless parameters are given. A dormant one becomes active again. Parameters replace the stored values of the same name.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: { parameter: PARAMETER_OPTIONS.parameter, parameterFile: PARAMETER_OPTIONS.parameterFile, ...START_WAIT_OPTIONS },
  fields: { rich_parameter_values: '--parameter' },
  examples: ['berth start dev', 'berth start ada/dev --parameter cpus=8', 'berth start dev --no-wait -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const ref = refOf(workspace);
    const isChanged = options.parameter.length > 0 || options.parameterFile !== undefined;
    if (!isChanged) {
      if (workspace.latest_build.status === 'running') return cli.out.done(`${ref} is already running.`, workspace);
      if ((await joinBuild(cli, workspace, 'start', options.noWait)) !== null) {
        return cli.out.done(`${ref} is ${options.noWait ? 'starting' : 'running'}.`, await refreshed(cli, workspace));
      }
    }
    await wake(cli, workspace);
    const { client } = cli.session();
    const build = workspace.latest_build;
    const parameters = isChanged
      ? await gatherParameters(
          cli,
          { ...options, yes: true },
          { versionId: build.template_version_id, previous: await client.builds.parameters.query({ workspacebuild: build.id }) },
        )
      : undefined;
    await buildWorkspace(cli, {
      workspace,
      transition: 'start',
      noWait: options.noWait,
      ...(parameters === undefined ? {} : { parameters }),
    });
    await cli.out.done(`${ref} is ${options.noWait ? 'starting' : 'running'}.`, await refreshed(cli, workspace));
    if (!options.noWait) cli.out.note(`Next: berth ssh ${args.workspace}`);
  },
});
