import path from 'node:path';

import type { TemplateVersion } from '@berth/api/contract/template-versions';
import type { Template } from '@berth/api/contract/templates';
import { nameProblem } from '@berth/domain';

import { counted } from '@berth/core';
import type { Cli } from '../../frame/cli.ts';
import { defineCommand, flag, optional, text } from '../../frame/declare.ts';
import { interrupted, usageError } from '../../frame/errors.ts';
import { findInOrganization, findVersion } from '../../templates/find-template.ts';
import { packFolder } from '../../templates/pack-folder.ts';
import { changesBetween, readArchive } from '../../templates/read-archive.ts';
import { downloadArchive, followImport, makeVersion, uploadArchive, withArchiveErrors } from '../../templates/send-version.ts';
import { VERSION_OPTIONS } from '../../templates/version-options.ts';
import { readGiven } from '../../workspaces/parameters.ts';

export const pushTemplate = defineCommand({
  name: 'push',
  summary: 'Publish a folder as a new version of a template',
  description:
    'Uploads a folder as a new version of a template and shows the log of the import. Creates the template if it does not exist. The version becomes the active one unless --no-activate is given. Files that .gitignore or .berthignore list are not uploaded.',
  args: { folder: optional('The folder; the current one unless given', { complete: 'file' }) },
  options: {
    template: text('-t, --template <name>', 'The template; named like the folder unless given', { complete: 'template' }),
    organization: text('--organization <name>', 'Its organization; the default one unless given', {
      complete: 'organization',
    }),
    name: text('--name <version>', 'The name of the version; two random words unless given'),
    message: text('-m, --message <text>', 'A message that describes the changes'),
    noActivate: flag('--no-activate', 'Do not make it the active version'),
    force: flag('--force', 'Push even if nothing has changed'),
    ...VERSION_OPTIONS,
    noWait: flag('--no-wait', 'Do not wait for the import to end; implies --no-activate for an existing template'),
    yes: flag('-y, --yes', 'Do not ask'),
  },
  fields: { file_id: '<folder>', user_variable_values: '--variable', tags: '--tag' },
  examples: [
    'berth templates push',
    'berth templates push ./node --message "Node 24"',
    'berth templates push -t node --variable region=eu --no-activate',
    'berth templates push --yes -o json',
  ],
  prints: true,
  async run(cli, { args, options }) {
    const folder = path.resolve(cli.io.cwd, args.folder ?? '.');
    const name = options.template ?? path.basename(folder);
    const problem = nameProblem('name', name);
    if (problem !== null) {
      throw usageError(`"${name}" is not a valid template name: ${problem}`, { next: 'Set one with --template <name>' });
    }
    const organization = options.organization ?? 'default';
    const { tar, files } = await withArchiveErrors(() => packFolder(folder));
    const template = await findInOrganization(cli, organization, name);
    const fileId = await cli.during(`Uploading ${counted(files.length, 'file')}`, () => uploadArchive(cli, tar));
    const variables = await readGiven(cli, { parameter: options.variable, parameterFile: options.variableFile });
    if (template !== undefined) {
      const active = await findVersion(cli, template, undefined);
      if (active.job.file_id === fileId && variables.size === 0 && !options.force) {
        return cli.out.done(`Nothing has changed since ${active.name}, the active version of ${name}.`, active);
      }
      await tellChanges(cli, active, tar);
    }
    await confirm(cli, { template, name, isSure: options.yes });
    const tags = Object.fromEntries(await readGiven(cli, { parameter: options.tag, parameterFile: undefined }));
    const made = await makeVersion(cli, {
      organization,
      fileId,
      template,
      name: options.name,
      message: options.message,
      variables,
      tags,
    });
    if (options.noWait) return leaveToServer(cli, { template, version: made, name, organization });
    const version = await followImport(cli, made, {
      timeoutMs: options.timeout,
      next:
        template === undefined
          ? `The template ${name} has not been created. Once a provisioner is available, push it again.`
          : `The import continues on the server. Once it has succeeded: berth templates promote ${name} ${made.name}`,
    });
    await settle(cli, { template, version, name, organization, isActivated: !options.noActivate });
  },
});

async function confirm(
  cli: Cli,
  { template, name, isSure }: { readonly template: Template | undefined; readonly name: string; readonly isSure: boolean },
): Promise<void> {
  if (isSure || !cli.ask.isPossible) return;
  const message = template === undefined ? `Create the template ${name}?` : `Create a new version of ${name}?`;
  if (!(await cli.ask.confirm({ message, flag: '--yes', standard: true }))) throw interrupted();
}

/** On stderr: the files that are not the same in the active version. */
async function tellChanges(cli: Cli, active: TemplateVersion, tar: Buffer): Promise<void> {
  const before = await downloadArchive(cli, active).then(readArchive, () => undefined);
  if (before === undefined) return;
  const { added, changed, removed } = changesBetween(before, await readArchive(tar));
  for (const [mark, names] of [
    ['+', added],
    ['~', changed],
    ['-', removed],
  ] as const) {
    for (const name of names) cli.out.note(`  ${mark} ${name}`);
  }
}

interface Settling {
  readonly template: Template | undefined;
  readonly version: TemplateVersion;
  readonly name: string;
  readonly organization: string;
  readonly isActivated: boolean;
}

/** A template may be made of a version whose import still runs, but such a version cannot become the active one of another. */
async function leaveToServer(cli: Cli, { template, version, name, organization }: Omit<Settling, 'isActivated'>): Promise<void> {
  if (template === undefined) {
    await cli.session().client.templates.create.mutate({ organization, name, template_version_id: version.id });
    return cli.out.done(`Created the template ${name}. Its version ${version.name} is still being imported.`, version);
  }
  await cli.out.done(`The version ${version.name} of ${name} is being imported.`, version);
  cli.out.note(`Once it is imported: berth templates promote ${name} ${version.name}`);
}

async function settle(cli: Cli, { template, version, name, organization, isActivated }: Settling): Promise<void> {
  const { templates } = cli.session().client;
  if (template === undefined) {
    await templates.create.mutate({ organization, name, template_version_id: version.id });
    await cli.out.done(`Created the template ${name} with the version ${version.name}.`, version);
    cli.out.note(`Next: berth create --template ${name}`);
  } else if (isActivated) {
    await templates.promote.mutate({ template: template.id, id: version.id });
    await cli.out.done(`${version.name} is now the active version of ${name}.`, version);
  } else {
    await cli.out.done(`Created the version ${version.name} of ${name}. It is not active.`, version);
    cli.out.note(`Next: berth templates promote ${name} ${version.name}`);
  }
}
