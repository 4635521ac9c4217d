import type { Validation } from '@berth/core';
import { isUuid } from '@berth/core';
import type { Tx } from '@berth/db';
import type { GroupRow } from './group-rows.ts';

interface AskedChange {
  readonly group: Pick<GroupRow, 'organizationId'>;
  /** Ids of those who are in the group now. */
  readonly members: readonly string[];
  /** Ids or user names. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface MembershipChange {
  readonly added: string[];
  readonly removed: string[];
  /** One for each list in which something is wrong; then nothing may change. */
  readonly problems: Validation[];
}

/**
 * Who comes and who goes, by id. Those who come are locked as members of the organization until the transaction ends, so that nobody stays
 * in a group of an organization that they leave at the same moment.
 */
export async function membershipChange(db: Tx, { group, members, added, removed }: AskedChange): Promise<MembershipChange> {
  if (added.length + removed.length === 0) return { added: [], removed: [], problems: [] };
  const people = await findPeople(db, group.organizationId, [...added, ...removed]);
  const held = new Set(members);
  const coming = collect(added, (text) => {
    const person = people.get(text.toLowerCase());
    if (person?.isMember !== true) return 'is not a member of the organization';
    return held.has(person.id) ? 'is in the group already' : person.id;
  });
  const going = collect(removed, (text) => {
    const person = people.get(text.toLowerCase());
    return person === undefined || !held.has(person.id) ? 'is not in the group' : person.id;
  });
  return {
    added: coming.ids,
    removed: going.ids,
    problems: [
      ...(coming.problems.length === 0 ? [] : [{ field: 'add_users', detail: coming.problems.join('; ') }]),
      ...(going.problems.length === 0 ? [] : [{ field: 'remove_users', detail: going.problems.join('; ') }]),
    ],
  };
}

interface Person {
  readonly id: string;
  readonly isMember: boolean;
}

/** The living users that the texts name, by each text in lower case. */
async function findPeople(db: Tx, organizationId: string, texts: readonly string[]): Promise<Map<string, Person>> {
  const wanted = [...new Set(texts.map((text) => text.toLowerCase()))];
  const rows = await db.$queryRaw<{ id: string; username: string }[]>`
    SELECT u.id::text, lower(u.username) AS username FROM users u
    WHERE NOT u.deleted AND (u.id = ANY(${wanted.filter(isUuid)}::uuid[]) OR lower(u.username) = ANY(${wanted.filter((text) => !isUuid(text))}::text[]))
    ORDER BY u.id FOR KEY SHARE`;
  const memberships = await db.$queryRaw<{ user_id: string }[]>`
    SELECT user_id::text FROM organization_members
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY(${rows.map((row) => row.id)}::uuid[])
    ORDER BY user_id FOR SHARE`;
  const memberIds = new Set(memberships.map((row) => row.user_id));
  const people = new Map<string, Person>();
  for (const { id, username } of rows) {
    const person = { id, isMember: memberIds.has(id) };
    people.set(id, person);
    people.set(username, person);
  }
  return people;
}

/** Sorts what is asked into ids and sentences about what is wrong; `judge` answers a user's id, or what is wrong with this text. */
function collect(texts: readonly string[], judge: (text: string) => string): { ids: string[]; problems: string[] } {
  const ids = new Set<string>();
  const problems: string[] = [];
  for (const text of texts) {
    const answer = judge(text);
    if (!isUuid(answer)) problems.push(`"${text}" ${answer}`);
    else if (ids.has(answer)) problems.push(`"${text}" is named twice`);
    else ids.add(answer);
  }
  return { ids: [...ids], problems };
}
