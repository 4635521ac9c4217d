import { defineCommand, required } from '../../frame/declare.ts';
import { relativeTime } from '../../frame/times.ts';

export const showUser = defineCommand({
  name: 'show',
  summary: 'Show a user, with roles and organizations',
  args: { user: required('A user name, an id, or `me`', { isName: true }) },
  options: {},
  examples: ['berth users show ada', 'berth users show me -o yaml'],
  prints: true,
  async run(cli, { args }) {
    const { client } = cli.session();
    const [user, organizations] = await Promise.all([
      client.users.get.query({ user: args.user }),
      client.users.organizations.query({ user: args.user }),
    ]);
    await cli.out.record({ ...user, organizations }, [
      ['User name', user.username],
      ['Name', user.name],
      ['E-mail', user.email],
      ['Status', user.status],
      ['Login type', user.login_type],
      ['Roles', user.roles.map(({ name }) => name).join(', ') || 'member'],
      ['Organizations', organizations.map(({ name }) => name).join(', ') || 'none'],
      ['Last seen', relativeTime(user.last_seen_at)],
      ['Created', relativeTime(user.created_at)],
      ['Id', user.id],
    ]);
  },
});
