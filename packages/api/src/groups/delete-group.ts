import { invalid, notFound } from '@berth/core';
import { groupObject } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRightsOfAll } from '../kernel/rights.ts';
import { auditedGroup } from './audit.ts';
import type { Group } from './contract.ts';
import { findGroups, groupMemberIds, isEveryone } from './group-rows.ts';
import { presentGroup } from './presenter.ts';

/** Deletes a group, and answers it as it was. What its members could do by it they can do no more. Everyone stays. */
export async function deleteGroup(call: UserCall, input: { group: string }): Promise<Group> {
  const [found] = await findGroups(call.db, { id: input.group }, call.authorize.scope('group_member:read'));
  if (found === undefined) throw notFound();
  const { group } = found;
  call.audit.set({ resourceId: group.id, target: group.name, organizationId: group.organizationId });
  call.authorize.require(groupObject(group));
  if (isEveryone(group)) throw invalid('Everyone is part of its organization and cannot be deleted.');
  const members = await groupMemberIds(call.db, group.id);
  await call.db.group.delete({ where: { id: group.id }, select: { id: true } });
  await announceRightsOfAll(call, members);
  call.audit.update({ before: auditedGroup(group, members) });
  return presentGroup(found);
}
