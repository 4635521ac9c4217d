import { defineCommand, required } from '../../frame/declare.ts';
import { notFoundError } from '../../frame/errors.ts';

export const removeToken = defineCommand({
  name: 'remove',
  aliases: ['rm'],
  summary: 'Revoke a token',
  args: { token: required('Its name or its id') },
  options: {},
  examples: ['berth tokens remove ci'],
  prints: false,
  async run(cli, { args }) {
    const { client } = cli.session();
    const all = await client.tokens.list.query({ user: 'me' });
    const found = all.find(({ id }) => id === args.token) ?? all.find(({ token_name }) => token_name === args.token);
    if (found === undefined) throw notFoundError(`You have no token "${args.token}".`, { next: 'List them with: berth tokens list' });
    await client.tokens.delete.mutate({ user: 'me', keyid: found.id });
    cli.out.line(`Revoked the token ${found.token_name}.`);
  },
});
