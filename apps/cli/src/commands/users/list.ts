import { defineCommand, rest } from '../../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { allPages } from '../../frame/paging.ts';
import { relativeTime } from '../../frame/times.ts';

export const listUsers = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'List users',
  description:
    'Lists users. Search in names and e-mail addresses; `status:`, `role:`, `last_seen_before:` and `last_seen_after:` narrow the search.',
  args: { search: rest('What to search for') },
  options: LIST_OPTIONS,
  fields: { q: '<search>' },
  examples: ['berth users list', 'berth users list status:suspended', 'berth users list role:owner -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    const found = await allPages(
      async (page) => {
        const answer = await client.users.list.query({ q: args.search.join(' '), ...page });
        return { rows: answer.users, total: answer.count };
      },
      { limit: options.limit },
    );
    await cli.out.list(
      found.rows,
      [
        { id: 'username', title: 'User name', value: (row) => row.username },
        { id: 'name', title: 'Name', value: (row) => row.name },
        { id: 'email', title: 'E-mail', value: (row) => row.email },
        { id: 'status', title: 'Status', value: (row) => row.status },
        { id: 'roles', title: 'Roles', value: (row) => row.roles.map(({ name }) => name).join(' ') },
        { id: 'last-seen', title: 'Last seen', value: (row) => relativeTime(row.last_seen_at) },
        { id: 'created', title: 'Created', value: (row) => relativeTime(row.created_at), isExtra: true },
        { id: 'login-type', title: 'Login type', value: (row) => row.login_type, isExtra: true },
        { id: 'id', title: 'Id', value: (row) => row.id, isExtra: true },
      ],
      { columns: options.columns, empty: 'No users match.' },
    );
    noteMore(cli, found);
  },
});
