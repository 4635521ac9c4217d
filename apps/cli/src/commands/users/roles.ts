import { defineCommand, required, texts } from '../../frame/declare.ts';
import { asRefusal } from '../../frame/errors.ts';

export const userRoles = defineCommand({
  name: 'roles',
  summary: 'Show or change the server-wide roles of a user',
  description: 'Shows the roles of a user. With --add, --remove or --set it changes the server-wide ones.',
  args: { user: required('A user name, an id, or `me`', { isName: true }) },
  options: {
    add: texts('--add <role>', 'Add this role; may be given several times'),
    remove: texts('--remove <role>', 'Remove this role; may be given several times'),
    set: texts('--set <role>', 'Replace all roles; may be given several times'),
  },
  fields: { roles: '--set' },
  examples: ['berth users roles ada', 'berth users roles ada --add auditor', 'berth users roles ada --set owner'],
  prints: true,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    const isChanged = options.add.length + options.remove.length + options.set.length > 0;
    if (isChanged) {
      const now = options.set.length > 0 ? options.set : (await client.users.roles.query(args)).roles.map(({ name }) => name);
      const roles = new Set([...now, ...options.add]);
      for (const role of options.remove) roles.delete(role);
      await asRefusal(client.users.updateRoles.mutate({ user: args.user, roles: [...roles] }));
    }
    const user = await client.users.roles.query(args);
    const [all, own] = [await client.organizations.list.query({}), Object.entries(user.organization_roles)];
    const names = new Map(all.map(({ id, name }) => [id, name]));
    await cli.out.record(user, [
      ['User name', user.username],
      ['Roles', user.roles.map(({ name }) => name).join(', ') || 'member'],
      ...own.filter(([, roles]) => roles.length > 0).map(([id, roles]) => [`In ${names.get(id) ?? id}`, roles.join(', ')] as const),
    ]);
  },
});
