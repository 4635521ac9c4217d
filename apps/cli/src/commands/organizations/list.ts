import { defineCommand } from '../../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { firstRows } from '../../frame/paging.ts';
import { relativeTime } from '../../frame/times.ts';

export const listOrganizations = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'List organizations',
  args: {},
  options: LIST_OPTIONS,
  examples: ['berth organizations list', 'berth organizations list -o json'],
  prints: true,
  async run(cli, { options }) {
    const all = await cli.session().client.organizations.list.query({});
    const found = firstRows(all, options.limit);
    await cli.out.list(
      found.rows,
      [
        { id: 'name', title: 'Name', value: (row) => row.name },
        { id: 'display-name', title: 'Display name', value: (row) => row.display_name },
        { id: 'description', title: 'Description', value: (row) => row.description },
        { id: 'default', title: 'Default', value: (row) => (row.is_default ? 'yes' : '') },
        { id: 'created', title: 'Created', value: (row) => relativeTime(row.created_at), isExtra: true },
        { id: 'id', title: 'Id', value: (row) => row.id, isExtra: true },
      ],
      { columns: options.columns, empty: 'You are not a member of an organization.' },
    );
    noteMore(cli, found);
  },
});
