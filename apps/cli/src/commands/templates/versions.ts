import { defineCommand, flag } from '../../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { allPages } from '../../frame/paging.ts';
import { relativeTime } from '../../frame/times.ts';
import { findTemplate, ORGANIZATION_OPTION, TEMPLATE_ARGUMENT } from '../../templates/find-template.ts';

export const listVersions = defineCommand({
  name: 'versions',
  summary: 'List the versions of a template, oldest first',
  args: TEMPLATE_ARGUMENT,
  options: { ...ORGANIZATION_OPTION, archived: flag('--archived', 'Also archived ones'), ...LIST_OPTIONS },
  examples: ['berth templates versions node', 'berth templates versions node --archived -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const template = await findTemplate(cli, args.template, options.organization);
    const { list } = cli.session().client.templateVersions;
    const found = await allPages(
      async (page) => ({ rows: await list.query({ template: template.id, include_archived: options.archived, ...page }) }),
      {
        limit: options.limit,
      },
    );
    await cli.out.list(
      found.rows,
      [
        { id: 'name', title: 'Name', value: (row) => row.name },
        { id: 'active', title: 'Active', value: (row) => (row.id === template.active_version_id ? 'yes' : '') },
        { id: 'status', title: 'Import', value: (row) => row.job.status },
        { id: 'created', title: 'Made', value: (row) => relativeTime(row.created_at) },
        { id: 'by', title: 'By', value: (row) => row.created_by.username },
        { id: 'message', title: 'Message', value: (row) => row.message },
        { id: 'archived', title: 'Archived', value: (row) => (row.archived ? 'yes' : ''), isExtra: !options.archived },
        { id: 'id', title: 'Id', value: (row) => row.id, isExtra: true },
      ],
      { columns: options.columns, empty: 'It has no versions that are not archived.' },
    );
    noteMore(cli, found);
  },
});
