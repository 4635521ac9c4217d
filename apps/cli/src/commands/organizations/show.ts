import { defineCommand, required } from '../../frame/declare.ts';
import { localTime } from '../../frame/times.ts';

export const showOrganization = defineCommand({
  name: 'show',
  summary: 'Show an organization',
  args: { organization: required('Its name or its id', { complete: 'organization' }) },
  options: {},
  examples: ['berth organizations show crew', 'berth organizations show default -o yaml'],
  prints: true,
  async run(cli, { args }) {
    const found = await cli.session().client.organizations.get.query(args);
    await cli.out.record(found, [
      ['Name', found.name],
      ['Display name', found.display_name],
      ['Description', found.description],
      ['Default', found.is_default ? 'yes' : 'no'],
      ['Created', localTime(found.created_at)],
      ['Id', found.id],
    ]);
  },
});
