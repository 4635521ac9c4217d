import { invalid } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { auditedMember } from './audit.ts';
import type { MemberPath } from './contract.ts';
import { permittedMember, requireCoverIn } from './permitted-member.ts';

/**
 * Removes somebody from an organization and from its groups. Their workspaces there stay, and out of their reach until they are added
 * again.
 */
export async function removeMember(call: UserCall, input: z.output<typeof MemberPath>): Promise<void> {
  const { db } = call;
  const row = await permittedMember(call, input);
  if (row.userId === call.principal.userId) throw invalid('You cannot remove yourself from an organization: somebody else has to.');
  await requireCoverIn(call, row);
  const { organizationId, userId } = row;
  // The membership first: who is being put into a group holds a lock on it until they are in.
  await db.organizationMember.delete({ where: { organizationId_userId: { organizationId, userId } }, select: { userId: true } });
  await db.groupMember.deleteMany({ where: { userId, group: { organizationId } } });
  await announceRights(call, userId);
  call.audit.update({ before: auditedMember(row) });
}
