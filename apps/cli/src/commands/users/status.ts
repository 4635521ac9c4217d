import { defineCommand, required } from '../../frame/declare.ts';
import { asRefusal } from '../../frame/errors.ts';

const args = { user: required('A user name or an id', { isName: true }) };

export const suspendUser = defineCommand({
  name: 'suspend',
  summary: 'Suspend a user: ends every session and blocks sign-in',
  args,
  options: {},
  examples: ['berth users suspend ada'],
  prints: true,
  async run(cli, given) {
    const user = await asRefusal(cli.session().client.users.suspend.mutate(given.args));
    await cli.out.done(`${user.username} is suspended.`, user);
  },
});

export const activateUser = defineCommand({
  name: 'activate',
  summary: 'Activate a suspended or dormant user',
  args,
  options: {},
  examples: ['berth users activate ada'],
  prints: true,
  async run(cli, given) {
    const user = await cli.session().client.users.activate.mutate(given.args);
    await cli.out.done(`${user.username} is active.`, user);
  },
});
