import { defineCommand, flag } from '../../frame/declare.ts';
import { findTemplate, ORGANIZATION_OPTION, TEMPLATE_ARGUMENT } from '../../templates/find-template.ts';

export const deleteTemplate = defineCommand({
  name: 'delete',
  aliases: ['rm'],
  summary: 'Delete a template that no workspace uses',
  args: TEMPLATE_ARGUMENT,
  options: { ...ORGANIZATION_OPTION, yes: flag('-y, --yes', 'Do not ask') },
  examples: ['berth templates delete node', 'berth templates delete crew/node --yes'],
  prints: false,
  async run(cli, { args, options }) {
    const template = await findTemplate(cli, args.template, options.organization);
    await cli.ask.confirmByName({ what: `This deletes the template ${template.name}.`, name: template.name, isSure: options.yes });
    await cli.session().client.templates.delete.mutate({ template: template.id });
    cli.out.line(`Deleted the template ${template.name}.`);
  },
});
