import path from 'node:path';

import type { WorkspaceResource } from '@berth/api/contract/agents';
import type { TemplateVersion } from '@berth/api/contract/template-versions';

import { counted } from '@berth/core';
import type { Cli } from '../../frame/cli.ts';
import { defineCommand, optional, text } from '../../frame/declare.ts';
import { CliError, EXIT } from '../../frame/errors.ts';
import { findInOrganization } from '../../templates/find-template.ts';
import { followJob } from '../../templates/follow-job.ts';
import { packFolder } from '../../templates/pack-folder.ts';
import { followImport, makeVersion, uploadArchive, withArchiveErrors } from '../../templates/send-version.ts';
import { whyPending } from '../../templates/why-pending.ts';
import { VERSION_OPTIONS } from '../../templates/version-options.ts';
import { gatherParameters, PARAMETER_OPTIONS, readGiven } from '../../workspaces/parameters.ts';

export const testTemplate = defineCommand({
  name: 'test',
  summary: 'Test a folder as a template without publishing it',
  description:
    'Imports a folder and does a dry run of a workspace’s first start. Prints the resources that it would create. The imported version is archived afterwards; no template changes.',
  args: { folder: optional('The folder; the current one unless given', { complete: 'file' }) },
  options: {
    template: text('-t, --template <name>', 'A template whose variable values to use', { complete: 'template' }),
    organization: text('--organization <name>', 'The organization; the default one unless given', { complete: 'organization' }),
    ...VERSION_OPTIONS,
    ...PARAMETER_OPTIONS,
  },
  fields: { file_id: '<folder>', user_variable_values: '--variable', tags: '--tag', rich_parameter_values: '--parameter' },
  examples: ['berth templates test', 'berth templates test ./node --parameter cpus=4', 'berth templates test -t node -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const folder = path.resolve(cli.io.cwd, args.folder ?? '.');
    const organization = options.organization ?? 'default';
    const { tar, files } = await withArchiveErrors(() => packFolder(folder));
    const template = options.template === undefined ? undefined : await findInOrganization(cli, organization, options.template);
    const fileId = await cli.during(`Uploading ${counted(files.length, 'file')}`, () => uploadArchive(cli, tar));
    const variables = await readGiven(cli, { parameter: options.variable, parameterFile: options.variableFile });
    const tags = Object.fromEntries(await readGiven(cli, { parameter: options.tag, parameterFile: undefined }));
    const made = await makeVersion(cli, { organization, fileId, template, message: 'Made by berth templates test', variables, tags });
    const version = await followImport(cli, made, { timeoutMs: options.timeout, next: 'Nothing has changed on the server.' });
    try {
      const values = await gatherParameters(cli, options, { versionId: version.id, previous: [] });
      const resources = await dryRun(cli, version, { values, timeoutMs: options.timeout });
      await printPlan(cli, resources);
    } finally {
      if (template !== undefined) await cli.session().client.templateVersions.archive.mutate({ templateversion: version.id });
    }
    cli.out.note('The dry run succeeded.');
  },
});

async function dryRun(
  cli: Cli,
  version: TemplateVersion,
  { values, timeoutMs }: { readonly values: Awaited<ReturnType<typeof gatherParameters>>; readonly timeoutMs: number | undefined },
): Promise<readonly WorkspaceResource[]> {
  const { templateVersions } = cli.session().client;
  const started = await templateVersions.createDryRun.mutate({ templateversion: version.id, rich_parameter_values: [...values] });
  const run = { templateversion: version.id, jobID: started.id };
  const job = await followJob(cli, {
    title: 'Dry run',
    job: () => templateVersions.dryRun.query(run),
    lines: (after) => templateVersions.dryRunLogs.query({ ...run, after }),
    whyPending: async () => {
      const { matched_provisioners } = await templateVersions.get.query({ templateversion: version.id });
      return whyPending('dry run', { job: await templateVersions.dryRun.query(run), matched_provisioners });
    },
    timeoutMs,
    next: 'A dry run creates nothing, so there is nothing to clean up.',
  });
  if (job.status !== 'succeeded') throw new CliError(EXIT.failed, job.error === '' ? `The dry run is ${job.status}.` : job.error);
  return templateVersions.dryRunResources.query(run);
}

async function printPlan(cli: Cli, resources: readonly WorkspaceResource[]): Promise<void> {
  await cli.out.list(
    resources,
    [
      { id: 'type', title: 'Type', value: (row) => row.type },
      { id: 'name', title: 'Name', value: (row) => row.name },
      { id: 'agents', title: 'Agents', value: (row) => row.agents.map((agent) => agent.name).join(', ') },
      { id: 'apps', title: 'Apps', value: (row) => row.agents.flatMap((agent) => agent.apps.map((app) => app.slug)).join(', ') },
      { id: 'cost', title: 'Cost a day', value: (row) => String(row.daily_cost) },
    ],
    { empty: 'A workspace would have no resources.' },
  );
}
