import { defineCommand, required } from '../frame/declare.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { buildWorkspace, joinBuild, refreshed, WAIT_OPTIONS } from '../workspaces/build-workspace.ts';
import { gatherParameters, PARAMETER_OPTIONS } from '../workspaces/parameters.ts';
import { wake } from '../workspaces/wake.ts';

export const start = defineCommand({
  name: 'start',
  summary: 'Start a workspace',
  description:
    'Starts a workspace and waits until it runs; one that runs already is left alone, unless parameters are given. A dormant one is woken up. Parameters replace the stored values of the same name.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: { parameter: PARAMETER_OPTIONS.parameter, parameterFile: PARAMETER_OPTIONS.parameterFile, ...WAIT_OPTIONS },
  examples: ['berth start dev', 'berth start ada/dev --parameter cpus=8', 'berth start dev --no-wait -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const ref = refOf(workspace);
    const isChanged = options.parameter.length > 0 || options.parameterFile !== undefined;
    if (!isChanged) {
      if (workspace.latest_build.status === 'running') return cli.out.done(`${ref} runs already.`, workspace);
      if ((await joinBuild(cli, workspace, 'start', options.noWait)) !== null) {
        return cli.out.done(`${ref} ${options.noWait ? 'is starting' : 'runs'}.`, await refreshed(cli, workspace));
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
    await cli.out.done(`${ref} ${options.noWait ? 'is starting' : 'runs'}.`, await refreshed(cli, workspace));
    if (!options.noWait) cli.out.note(`Next: berth ssh ${args.workspace}`);
  },
});
