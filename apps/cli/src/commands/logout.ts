import { errorOf } from '@berth/client';
import { defineCommand } from '../frame/declare.ts';

export const logout = defineCommand({
  name: 'logout',
  summary: 'Sign out, and delete the stored session',
  args: {},
  options: {},
  examples: ['berth logout', 'berth logout --url https://berth.example.com'],
  prints: false,
  async run(cli) {
    const { client, url, token } = cli.session();
    try {
      await client.auth.logout.mutate({});
    } catch (error) {
      // A session that is over already is what was wanted.
      if (errorOf(error).kind !== 'unauthenticated') throw error;
    }
    if (cli.store.tokenOf(url) === token) cli.store.forget(url);
    cli.out.line(`Signed out of ${url}.`);
  },
});
