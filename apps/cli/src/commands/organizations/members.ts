import { defineCommand, required, texts } from '../../frame/declare.ts';
import { asRefusal } from '../../frame/errors.ts';
import { LIST_OPTIONS, noteMore } from '../../frame/list-options.ts';
import { allPages } from '../../frame/paging.ts';
import { relativeTime } from '../../frame/times.ts';

export const organizationMembers = defineCommand({
  name: 'members',
  summary: 'List, add or remove members of an organization',
  description: 'Adds and removes members, then lists the members.',
  args: { organization: required('Its name or its id', { complete: 'organization' }) },
  options: {
    add: texts('--add <user>', 'Add this user; may be given several times', { isName: true }),
    remove: texts('--remove <user>', 'Remove this user; may be given several times', { isName: true }),
    ...LIST_OPTIONS,
  },
  examples: [
    'berth organizations members crew',
    'berth organizations members crew --add ada --remove bob',
    'berth orgs members crew -o json',
  ],
  prints: true,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    const { organization } = args;
    for (const user of options.add) await asRefusal(client.members.add.mutate({ organization, user }));
    for (const user of options.remove) await asRefusal(client.members.remove.mutate({ organization, user }));
    const found = await allPages(async (page) => ({ rows: await client.members.list.query({ organization, ...page }) }), {
      limit: options.limit,
      pageSize: 1000,
    });
    await cli.out.list(
      found.rows,
      [
        { id: 'username', title: 'User name', value: (row) => row.username },
        { id: 'name', title: 'Name', value: (row) => row.name },
        { id: 'email', title: 'E-mail', value: (row) => row.email },
        { id: 'roles', title: 'Roles here', value: (row) => row.roles.map(({ name }) => name).join(' ') },
        { id: 'since', title: 'Since', value: (row) => relativeTime(row.created_at) },
        { id: 'id', title: 'Id', value: (row) => row.user_id, isExtra: true },
      ],
      { columns: options.columns, empty: 'The organization has no members.' },
    );
    noteMore(cli, found);
  },
});
