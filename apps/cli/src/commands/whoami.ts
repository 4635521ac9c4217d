import { defineCommand } from '../frame/declare.ts';

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Show the signed-in user and the server',
  args: {},
  options: {},
  examples: ['berth whoami', 'berth whoami -o json'],
  prints: true,
  async run(cli) {
    const { client, url } = cli.session();
    const user = await client.users.get.query({ user: 'me' });
    await cli.out.record({ url, ...user }, [
      ['Server', url],
      ['User name', user.username],
      ['Name', user.name],
      ['E-mail', user.email],
      ['Roles', user.roles.map(({ name }) => name).join(', ') || 'member'],
    ]);
  },
});
