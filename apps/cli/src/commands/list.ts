import { defineCommand, flag, rest } from '../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../frame/list-options.ts';
import { allPages } from '../frame/paging.ts';
import { WORKSPACE_COLUMNS } from '../workspaces/columns.ts';

export const list = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'List workspaces',
  description:
    'Lists your workspaces, or with --all every workspace that you may see. Search by `name` or `owner/name`, and by `status:`, `template:`, `owner:`, `organization:`, `has-agent:`, `dormant:`, `outdated:`, `param:`, `last_used_before:` and `last_used_after:`.',
  args: { search: rest('What to search for') },
  options: { all: flag('-a, --all', 'Workspaces of all owners, not only yours'), ...LIST_OPTIONS },
  fields: { q: '<search>' },
  examples: ['berth list', 'berth list --all status:running', 'berth list outdated:true -c workspace,version', 'berth list -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    // A search for an owner says itself whose they are.
    const isOwned = options.all || args.search.some((word) => word.startsWith('owner:') || word.includes('/'));
    const q = [...(isOwned ? [] : ['owner:me']), ...args.search].join(' ');
    const found = await allPages(
      async (page) => {
        const answer = await client.workspaces.list.query({ q, ...page });
        return { rows: answer.workspaces, total: answer.count };
      },
      { limit: options.limit },
    );
    await cli.out.list(found.rows, WORKSPACE_COLUMNS, {
      columns: options.columns,
      empty: args.search.length > 0 || options.all ? 'No workspaces match.' : 'You have no workspaces yet. Create one: berth create',
    });
    noteMore(cli, found);
  },
});
