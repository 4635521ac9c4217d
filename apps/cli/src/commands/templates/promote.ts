import { defineCommand, required } from '../../frame/declare.ts';
import { findTemplate, findVersion, ORGANIZATION_OPTION, TEMPLATE_ARGUMENT } from '../../templates/find-template.ts';

export const promoteTemplate = defineCommand({
  name: 'promote',
  summary: 'Make a version the active one, which new workspaces use',
  args: { ...TEMPLATE_ARGUMENT, version: required('The name of the version') },
  options: ORGANIZATION_OPTION,
  examples: ['berth templates promote node humble_port'],
  prints: true,
  async run(cli, { args, options }) {
    const template = await findTemplate(cli, args.template, options.organization);
    const version = await findVersion(cli, template, args.version);
    if (version.id === template.active_version_id) {
      return cli.out.done(`${version.name} is already the active version of ${template.name}.`, version);
    }
    await cli.session().client.templates.promote.mutate({ template: template.id, id: version.id });
    await cli.out.done(`${version.name} is now the active version of ${template.name}.`, version);
  },
});
