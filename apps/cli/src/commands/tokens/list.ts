import { defineCommand, flag } from '../../frame/declare.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { firstRows } from '../../frame/paging.ts';
import { relativeTime } from '../../frame/times.ts';

export const listTokens = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'List your tokens',
  args: {},
  options: { all: flag('-a, --all', 'Include tokens of other users that you may see'), ...LIST_OPTIONS },
  examples: ['berth tokens list', 'berth tokens list --all -o json'],
  prints: true,
  async run(cli, { options }) {
    const all = await cli.session().client.tokens.list.query({ user: 'me', include_all: options.all });
    const found = firstRows(all, options.limit);
    await cli.out.list(
      found.rows,
      [
        { id: 'name', title: 'Name', value: (row) => row.token_name },
        { id: 'id', title: 'Id', value: (row) => row.id },
        { id: 'user', title: 'User', value: (row) => row.username, isExtra: !options.all },
        { id: 'scope', title: 'Scope', value: (row) => (row.scope === 'limited' ? row.permissions.join(' ') : row.scope) },
        { id: 'last-used', title: 'Last used', value: (row) => relativeTime(row.last_used) },
        { id: 'expires', title: 'Expires', value: (row) => relativeTime(row.expires_at) },
        { id: 'created', title: 'Created', value: (row) => relativeTime(row.created_at), isExtra: true },
      ],
      { columns: options.columns, empty: 'You have no tokens. Create one: berth tokens create' },
    );
    noteMore(cli, found);
  },
});
