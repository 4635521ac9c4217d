import { defineCommand, required, text } from '../../frame/declare.ts';

export const createOrganization = defineCommand({
  name: 'create',
  summary: 'Create an organization and join it',
  args: { name: required('Its name') },
  options: {
    displayName: text('--display-name <text>', 'Its display name'),
    description: text('--description <text>', 'Its purpose'),
    icon: text('--icon <url>', 'The URL of an icon'),
  },
  examples: ['berth organizations create crew --display-name "The crew"'],
  prints: true,
  async run(cli, { args, options }) {
    const made = await cli.session().client.organizations.create.mutate({
      name: args.name,
      ...(options.displayName === undefined ? {} : { display_name: options.displayName }),
      ...(options.description === undefined ? {} : { description: options.description }),
      ...(options.icon === undefined ? {} : { icon: options.icon }),
    });
    await cli.out.done(`Created the organization ${made.name}.`, made);
  },
});
