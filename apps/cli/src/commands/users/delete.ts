import { defineCommand, flag, required } from '../../frame/declare.ts';

export const deleteUser = defineCommand({
  name: 'delete',
  aliases: ['rm'],
  summary: 'Delete a user who has no workspaces',
  description: 'Deletes a user with all sessions, tokens, linked accounts and memberships. Asks you to type the name; --yes skips that.',
  args: { user: required('A user name or an id', { isName: true }) },
  options: { yes: flag('-y, --yes', 'Do not ask') },
  examples: ['berth users delete ada', 'berth users delete ada --yes'],
  prints: false,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    const user = await client.users.get.query(args);
    await cli.ask.confirmByName({ what: `This deletes the user ${user.username}.`, name: user.username, isSure: options.yes });
    await client.users.delete.mutate({ user: user.id });
    cli.out.line(`Deleted the user ${user.username}.`);
  },
});
