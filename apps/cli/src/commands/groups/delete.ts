import { defineCommand, flag } from '../../frame/declare.ts';
import { findGroup, GROUP_ARGUMENT, ORGANIZATION_OPTION } from './find-group.ts';

export const deleteGroup = defineCommand({
  name: 'delete',
  aliases: ['rm'],
  summary: 'Delete a group, but not its members',
  args: GROUP_ARGUMENT,
  options: { ...ORGANIZATION_OPTION, yes: flag('-y, --yes', 'Do not ask') },
  examples: ['berth groups delete captains', 'berth groups delete captains --organization crew --yes'],
  prints: false,
  async run(cli, { args, options }) {
    const group = await findGroup(cli, args.group, options.organization);
    await cli.ask.confirmByName({ what: `This deletes the group ${group.name}.`, name: group.name, isSure: options.yes });
    await cli.session().client.groups.delete.mutate({ group: group.id });
    cli.out.line(`Deleted the group ${group.name}.`);
  },
});
