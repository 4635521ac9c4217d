import type { Validation } from '@berth/core';
import { forbidden, invalid, notFound } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { EVERYONE_GROUP_NAME, nameProblem } from '@berth/domain';
import { groupObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRightsOfAll } from '../kernel/rights.ts';
import { auditedGroup } from './audit.ts';
import type { Group, UpdateGroup } from './contract.ts';
import { nameTaken } from './create-group.ts';
import type { GroupRow } from './group-rows.ts';
import { findGroups, groupMemberIds, isEveryone } from './group-rows.ts';
import { membershipChange } from './membership-change.ts';
import { presentGroup } from './presenter.ts';

type Changes = z.output<typeof UpdateGroup>;

/**
 * Changes what is given and leaves the rest. Members come and go by id or user name; whoever comes must be a member of the organization.
 * All that is wrong is said at once, and then nothing changes. Of Everyone only the quota and the picture may change.
 */
export async function updateGroup(call: UserCall, input: Changes): Promise<Group> {
  const { db } = call;
  const memberScope = call.authorize.scope('group_member:read');
  const [found] = await findGroups(db, { id: input.group }, memberScope);
  if (found === undefined) throw notFound();
  const before = found.group;
  call.audit.set({ resourceId: before.id, target: before.name, organizationId: before.organizationId });
  call.authorize.require(groupObject(before));
  const [added, removed] = [input.add_users ?? [], input.remove_users ?? []];
  if (isEveryone(before) && added.length + removed.length > 0) {
    throw forbidden('Everyone holds all members of its organization: add people to the organization, or remove them from it.');
  }
  // Two changes of one group take turns, so that each sees the members that the other left.
  await db.$queryRaw`SELECT 1 FROM groups WHERE id = ${before.id}::uuid FOR UPDATE`;
  const members = await groupMemberIds(db, before.id);
  const change = await membershipChange(db, { group: before, members, added, removed });
  const problems = [...fieldProblems(before, input), ...change.problems];
  if (problems.length > 0) throw invalid('Validation failed.', problems);

  await writeFields(call, before, input);
  const createdAt = call.services.clock.now();
  await db.groupMember.createMany({ data: change.added.map((userId) => ({ groupId: before.id, userId, createdAt })) });
  await db.groupMember.deleteMany({ where: { groupId: before.id, userId: { in: change.removed } } });
  await announceRightsOfAll(call, [...change.added, ...change.removed]);

  const [after] = await findGroups(db, { id: before.id }, memberScope);
  if (after === undefined) throw notFound();
  call.audit.update({
    target: after.group.name,
    before: auditedGroup(before, members),
    after: auditedGroup(after.group, await groupMemberIds(db, before.id)),
  });
  return presentGroup(after);
}

function fieldProblems(group: GroupRow, { name, display_name: displayName }: Changes): Validation[] {
  const problems: [string, string | null][] = [
    ['name', name === undefined || name === group.name ? null : nameProblemOf(group, name)],
    ['display_name', isEveryone(group) && displayName !== undefined && displayName !== group.displayName ? FIXED : null],
  ];
  return problems.flatMap(([field, detail]) => (detail === null ? [] : [{ field, detail }]));
}

const FIXED = `${EVERYONE_GROUP_NAME} keeps its name.`;

function nameProblemOf(group: GroupRow, name: string): string | null {
  return isEveryone(group) ? FIXED : nameProblem('group_name', name);
}

async function writeFields(call: UserCall, group: GroupRow, input: Changes): Promise<void> {
  try {
    await call.db.group.update({
      where: { id: group.id },
      data: {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.display_name === undefined ? {} : { displayName: input.display_name }),
        ...(input.avatar_url === undefined ? {} : { avatarUrl: input.avatar_url }),
        ...(input.quota_allowance === undefined ? {} : { quotaAllowance: input.quota_allowance }),
      },
      select: { id: true },
    });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}
