import { count, defineCommand, text, texts } from '../../frame/declare.ts';
import { usageError } from '../../frame/errors.ts';
import { QUOTA_MAX } from './create.ts';
import { findGroup, GROUP_ARGUMENT, ORGANIZATION_OPTION, printGroup } from './find-group.ts';

export const editGroup = defineCommand({
  name: 'edit',
  summary: 'Change a group or its members',
  args: GROUP_ARGUMENT,
  options: {
    ...ORGANIZATION_OPTION,
    add: texts('--add <user>', 'Add this user; may be given several times', { isName: true }),
    remove: texts('--remove <user>', 'Remove this user; may be given several times', { isName: true }),
    name: text('--name <name>', 'Its new name'),
    displayName: text('--display-name <text>', 'Its display name'),
    quota: count('--quota <n>', 'The daily quota of its members', { min: 0, max: QUOTA_MAX }),
  },
  fields: { quota_allowance: '--quota', add_users: '--add', remove_users: '--remove' },
  examples: ['berth groups edit captains --add ada --remove bob', 'berth groups edit captains --name pilots --quota 40'],
  prints: true,
  async run(cli, { args, options }) {
    const change = {
      ...(options.add.length === 0 ? {} : { add_users: [...options.add] }),
      ...(options.remove.length === 0 ? {} : { remove_users: [...options.remove] }),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.displayName === undefined ? {} : { display_name: options.displayName }),
      ...(options.quota === undefined ? {} : { quota_allowance: options.quota }),
    };
    if (Object.keys(change).length === 0) {
      throw usageError('Nothing to change: give at least one option.', { next: 'See: berth groups edit --help' });
    }
    const group = await findGroup(cli, args.group, options.organization);
    await printGroup(cli, await cli.session().client.groups.update.mutate({ group: group.id, ...change }));
  },
});
