import type { Client } from '@berth/client';
import { createClient, errorOf } from '@berth/client';
import { EMAIL_DOMAIN, GROUPS, ORGANIZATION, PEOPLE } from './cast.ts';
import type { Progress } from './progress.ts';
import { login } from './session.ts';

/** People who are signed in, by user name: those whose accounts were made now, since only their password is known. */
export type SignedIn = ReadonlyMap<string, SignedInPerson>;

export interface SignedInPerson {
  readonly client: Client;
  readonly token: string;
}

interface SeedPeople {
  readonly url: string;
  readonly password: string;
  readonly progress: Progress;
}

/** Makes the accounts that are missing, all with one password, and signs each of them in, as a person would. */
export async function seedPeople(client: Client, { url, password, progress }: SeedPeople): Promise<SignedIn> {
  const organization = await client.organizations.get.query({ organization: ORGANIZATION });
  const signedIn = new Map<string, SignedInPerson>();
  for (const { username, name } of PEOPLE) {
    if (await exists(() => client.users.get.query({ user: username }))) {
      progress.found(name);
      continue;
    }
    const email = `${username}@${EMAIL_DOMAIN}`;
    await client.users.create.mutate({ username, name, password, email, user_status: 'active', organization_ids: [organization.id] });
    const token = await login(createClient({ url }), { email, password });
    const person = { token, client: createClient({ url, token }) };
    await person.client.users.get.query({ user: 'me' });
    signedIn.set(username, person);
    progress.made(name);
  }
  return signedIn;
}

/** Ends the sessions of `seedPeople`: nobody sits at them. */
export async function signOut(signedIn: SignedIn): Promise<void> {
  for (const { client } of signedIn.values()) await client.auth.logout.mutate({});
}

/** Makes the groups that are missing. A group that has no members gets those of the cast; any other stays as it is. */
export async function seedGroups(client: Client, progress: Progress): Promise<void> {
  for (const { members, ...group } of GROUPS) {
    const place = { organization: ORGANIZATION, groupName: group.name };
    const isKnown = await exists(() => client.groups.getByName.query(place));
    const found = isKnown
      ? await client.groups.getByName.query(place)
      : await client.groups.create.mutate({ organization: ORGANIZATION, ...group });
    if (found.members.length > 0) {
      progress.found(group.display_name);
      continue;
    }
    await client.groups.update.mutate({ group: found.id, add_users: [...members] });
    progress.made(`${group.display_name}, with ${members.length} members`);
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
