import { isJobActive } from '@berth/domain';
import { defineCommand } from '../../frame/declare.ts';
import { localTime } from '../../frame/times.ts';
import { findTemplate, findVersion, ORGANIZATION_OPTION, TEMPLATE_ARGUMENT } from '../../templates/find-template.ts';

export const showTemplate = defineCommand({
  name: 'show',
  summary: 'Show a template: its active version and its parameters',
  args: TEMPLATE_ARGUMENT,
  options: ORGANIZATION_OPTION,
  examples: ['berth templates show node', 'berth templates show crew/node -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const template = await findTemplate(cli, args.template, options.organization);
    const active = await findVersion(cli, template, undefined);
    const isImporting = isJobActive(active.job.status);
    const parameters = isImporting ? [] : await cli.session().client.templateVersions.richParameters.query({ templateversion: active.id });
    const names = parameters.map(({ name, required }) => (required ? `${name} (required)` : name)).join('\n');
    await cli.out.record({ ...template, active_version: active, parameters }, [
      ['Name', template.name],
      ['Title', template.display_name],
      ['Description', template.description],
      ['Organization', template.organization_name],
      ['Driver', template.provisioner],
      ['Active version', `${active.name}, of ${localTime(active.created_at)} by ${active.created_by.username}`],
      ['Message', active.message],
      ['Parameters', isImporting ? 'not known until the import has ended' : names || 'none'],
    ]);
  },
});
