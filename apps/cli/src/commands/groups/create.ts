import { count, defineCommand, required, text } from '../../frame/declare.ts';
import { ORGANIZATION_OPTION } from './find-group.ts';

export const QUOTA_MAX = 2_147_483_647;

export const createGroup = defineCommand({
  name: 'create',
  summary: 'Create a group',
  args: { name: required('Its name') },
  options: {
    organization: { ...ORGANIZATION_OPTION.organization, description: 'Its organization; the default one unless given' },
    displayName: text('--display-name <text>', 'Its display name'),
    quota: count('--quota <n>', 'The daily quota of its members', { min: 0, max: QUOTA_MAX }),
  },
  fields: { quota_allowance: '--quota' },
  examples: ['berth groups create captains', 'berth groups create captains --organization crew --quota 20'],
  prints: true,
  async run(cli, { args, options }) {
    const made = await cli.session().client.groups.create.mutate({
      organization: options.organization ?? 'default',
      name: args.name,
      display_name: options.displayName ?? '',
      quota_allowance: options.quota ?? 0,
    });
    await cli.out.done(`Created the group ${made.name}.`, made);
  },
});
