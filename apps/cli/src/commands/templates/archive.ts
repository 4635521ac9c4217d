import { defineCommand, flag, optional } from '../../frame/declare.ts';
import { findTemplate, findVersion, ORGANIZATION_OPTION, TEMPLATE_ARGUMENT } from '../../templates/find-template.ts';

export const archiveTemplate = defineCommand({
  name: 'archive',
  summary: 'Put versions of a template out of the way',
  description: 'Archives one version, or, without one, those whose import failed. Versions that are active or in use stay.',
  args: { ...TEMPLATE_ARGUMENT, version: optional('The name of a version') },
  options: { ...ORGANIZATION_OPTION, all: flag('--all', 'All that are not in use, not only failed ones') },
  examples: ['berth templates archive node humble_port', 'berth templates archive node --all'],
  prints: true,
  async run(cli, { args, options }) {
    const template = await findTemplate(cli, args.template, options.organization);
    const { templateVersions } = cli.session().client;
    if (args.version !== undefined) {
      const version = await findVersion(cli, template, args.version);
      const answer = await templateVersions.archive.mutate({ templateversion: version.id });
      return cli.out.done(`${version.name} is archived.`, answer);
    }
    const answer = await templateVersions.archiveUnused.mutate({ template: template.id, all: options.all });
    await cli.out.done(`${answer.archived_ids.length} versions are archived.`, answer);
  },
});
