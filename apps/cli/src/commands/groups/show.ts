import { defineCommand } from '../../frame/declare.ts';
import { findGroup, GROUP_ARGUMENT, ORGANIZATION_OPTION, printGroup } from './find-group.ts';

export const showGroup = defineCommand({
  name: 'show',
  summary: 'Show a group and its members',
  args: GROUP_ARGUMENT,
  options: ORGANIZATION_OPTION,
  examples: ['berth groups show captains', 'berth groups show captains --organization crew -o json'],
  prints: true,
  async run(cli, { args, options }) {
    await printGroup(cli, await findGroup(cli, args.group, options.organization));
  },
});
