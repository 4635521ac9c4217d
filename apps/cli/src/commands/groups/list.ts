import { defineCommand, text } from '../../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { firstRows } from '../../frame/paging.ts';
import { ORGANIZATION_OPTION } from './find-group.ts';

export const listGroups = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'List groups',
  args: {},
  options: { ...ORGANIZATION_OPTION, member: text('--member <user>', 'Only groups with this member', { isName: true }), ...LIST_OPTIONS },
  fields: { has_member: '--member' },
  examples: ['berth groups list', 'berth groups list --organization crew --member ada', 'berth groups list -o json'],
  prints: true,
  async run(cli, { options }) {
    const all = await cli.session().client.groups.list.query({
      ...(options.organization === undefined ? {} : { organization: options.organization }),
      ...(options.member === undefined ? {} : { has_member: options.member }),
    });
    const found = firstRows(all, options.limit);
    await cli.out.list(
      found.rows,
      [
        { id: 'name', title: 'Name', value: (row) => row.name },
        { id: 'display-name', title: 'Display name', value: (row) => row.display_name },
        { id: 'organization', title: 'Organization', value: (row) => row.organization_name },
        { id: 'members', title: 'Members', value: (row) => String(row.total_member_count) },
        { id: 'quota', title: 'Quota', value: (row) => String(row.quota_allowance) },
        { id: 'source', title: 'Source', value: (row) => row.source, isExtra: true },
        { id: 'id', title: 'Id', value: (row) => row.id, isExtra: true },
      ],
      { columns: options.columns, empty: 'No groups match.' },
    );
    noteMore(cli, found);
  },
});
