import type { Group } from '@berth/api/contract/groups';
import type { Cli } from '../../frame/cli.ts';
import { required, text } from '../../frame/declare.ts';
import { notFoundError, usageError } from '../../frame/errors.ts';

export const GROUP_ARGUMENT = { group: required('Its name or its id', { complete: 'group' }) };
export const ORGANIZATION_OPTION = {
  organization: text('--organization <name>', 'Its organization', { complete: 'organization' }),
};

/** The group of this name or id; where two organizations have one of that name, `--organization` says which. */
export async function findGroup(cli: Cli, given: string, organization: string | undefined): Promise<Group> {
  const all = await cli.session().client.groups.list.query(organization === undefined ? {} : { organization });
  const found = all.filter(({ id, name }) => id === given || name === given);
  const [only] = found;
  if (only === undefined) {
    throw notFoundError(`There is no group "${given}" that you may see.`, { next: 'List them with: berth groups list' });
  }
  if (found.length > 1) {
    throw usageError(`Several organizations have a group "${given}".`, {
      next: `Use one of: ${found.map((one) => `--organization ${one.organization_name}`).join(', ')}`,
    });
  }
  return only;
}

/** Every command about one group ends by showing it. */
export async function printGroup(cli: Cli, group: Group): Promise<void> {
  await cli.out.record(group, [
    ['Name', group.name],
    ['Display name', group.display_name],
    ['Organization', group.organization_name],
    ['Quota', String(group.quota_allowance)],
    [
      'Members',
      `${group.total_member_count}${group.members.length === 0 ? '' : `: ${group.members.map(({ username }) => username).join(', ')}`}`,
    ],
    ['Source', group.source],
    ['Id', group.id],
  ]);
}
