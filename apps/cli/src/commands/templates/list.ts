import { defineCommand, flag, text } from '../../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { LIMIT_STANDARD } from '../../frame/paging.ts';
import { relativeTime } from '../../frame/times.ts';

export const listTemplates = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the templates that you may use, most used first',
  args: {},
  options: {
    organization: text('--organization <name>', 'Only templates of this organization', { complete: 'organization' }),
    all: flag('-a, --all', 'Include deprecated templates'),
    ...LIST_OPTIONS,
  },
  examples: ['berth templates list', 'berth templates list --all -o json'],
  prints: true,
  async run(cli, { options }) {
    const { templates } = cli.session().client;
    const q = options.all ? '' : 'deprecated:false';
    const { organization, limit = LIMIT_STANDARD } = options;
    const all =
      organization === undefined ? await templates.list.query({ q }) : await templates.listByOrganization.query({ organization, q });
    const found = { rows: all.slice(0, limit), hasMore: all.length > limit };
    await cli.out.list(
      found.rows,
      [
        { id: 'name', title: 'Name', value: (row) => row.name },
        { id: 'display-name', title: 'Title', value: (row) => row.display_name },
        { id: 'organization', title: 'Organization', value: (row) => row.organization_name },
        { id: 'driver', title: 'Driver', value: (row) => row.provisioner },
        { id: 'users', title: 'Users', value: (row) => String(row.active_user_count) },
        { id: 'updated', title: 'Updated', value: (row) => relativeTime(row.updated_at) },
        {
          id: 'deprecated',
          title: 'Deprecated',
          value: (row) => (row.deprecated ? row.deprecation_message || 'yes' : ''),
          isExtra: !options.all,
        },
        { id: 'description', title: 'Description', value: (row) => row.description, isExtra: true },
        { id: 'id', title: 'Id', value: (row) => row.id, isExtra: true },
      ],
      { columns: options.columns, empty: 'There are no templates that you may use. Start with: berth templates init' },
    );
    noteMore(cli, found);
  },
});
