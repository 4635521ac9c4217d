import type { Client } from '@berth/client';
import { errorOf } from '@berth/client';
import { EMAIL_DOMAIN, GROUPS, ORGANIZATION, PEOPLE } from './cast.ts';
import type { Progress } from './progress.ts';

/** Makes the accounts that are missing, all with one password. Answers how many it made. */
export async function seedPeople(client: Client, { password, progress }: { password: string; progress: Progress }): Promise<number> {
  const organization = await client.organizations.get.query({ organization: ORGANIZATION });
  let made = 0;
  for (const { username, name } of PEOPLE) {
    if (await exists(() => client.users.get.query({ user: username }))) {
      progress.found(name);
      continue;
    }
    await client.users.create.mutate({
      username,
      name,
      password,
      email: `${username}@${EMAIL_DOMAIN}`,
      user_status: 'active',
      organization_ids: [organization.id],
    });
    made += 1;
    progress.made(name);
  }
  return made;
}

export async function seedGroups(client: Client, progress: Progress): Promise<void> {
  for (const group of GROUPS) {
    if (await exists(() => client.groups.getByName.query({ organization: ORGANIZATION, groupName: group.name }))) {
      progress.found(group.display_name);
      continue;
    }
    await client.groups.create.mutate({ organization: ORGANIZATION, ...group });
    progress.made(group.display_name);
  }
}

/** Whether the question finds something; other failures than `not_found` are thrown. */
export async function exists(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (errorOf(error).kind === 'not_found') return false;
    throw error;
  }
}
