import { defineCommand, required, text } from '../../frame/declare.ts';

export const createOrganization = defineCommand({
  name: 'create',
  summary: 'Create an organization, and join it',
  args: { name: required('Its name') },
  options: {
    displayName: text('--display-name <text>', 'What people read in place of its name'),
    description: text('--description <text>', 'What it is for'),
    icon: text('--icon <url>', 'The address of a picture'),
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
    await cli.out.done(`The organization ${made.name} is there.`, made);
  },
});
