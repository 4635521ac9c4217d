import { counted } from '@berth/core';
import { defineCommand, flag, optional } from '../../frame/declare.ts';
import { findTemplate, findVersion, ORGANIZATION_OPTION, TEMPLATE_ARGUMENT } from '../../templates/find-template.ts';

export const archiveTemplate = defineCommand({
  name: 'archive',
  summary: 'Archive versions of a template',
  description: 'Archives one version, or every version whose import failed. Active versions and versions in use are kept.',
  args: { ...TEMPLATE_ARGUMENT, version: optional('The name of a version') },
  options: { ...ORGANIZATION_OPTION, all: flag('--all', 'Every version that is not in use, not only failed ones') },
  examples: ['berth templates archive node humble_port', 'berth templates archive node --all'],
  prints: true,
  async run(cli, { args, options }) {
    const template = await findTemplate(cli, args.template, options.organization);
    const { templateVersions } = cli.session().client;
    if (args.version !== undefined) {
      const version = await findVersion(cli, template, args.version);
      const answer = await templateVersions.archive.mutate({ templateversion: version.id });
      return cli.out.done(`Archived the version ${version.name}.`, answer);
    }
    const answer = await templateVersions.archiveUnused.mutate({ template: template.id, all: options.all });
    await cli.out.done(`Archived ${counted(answer.archived_ids.length, 'version')}.`, answer);
  },
});
