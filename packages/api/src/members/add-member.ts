import { forbidden, invalid } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { organizationMemberObject } from '@berth/rbac';
import type { z } from 'zod';
import { isOrganizationSynced } from '../idp-sync/index.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { holdUser, resolveUser } from '../users/index.ts';
import { auditedMember } from './audit.ts';
import type { MemberPath, OrganizationMember } from './contract.ts';
import { memberSelect } from './member-rows.ts';
import { presentMember } from './presenter.ts';

/** Adds a user to an organization, without a role beyond that of every member. */
export async function addMember(call: UserCall, input: z.output<typeof MemberPath>): Promise<OrganizationMember> {
  const { db, services } = call;
  const { id: organizationId } = await resolveOrganization(call, input.organization);
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: user.username, organizationId });
  call.authorize.require(organizationMemberObject({ userId: user.id, organizationId }));
  if (!call.authorize.can('assign', { type: 'assign_org_role', organizationId })) {
    throw forbidden('You may not give roles in this organization, and a member has one.');
  }
  if (user.loginType === 'oidc' && (await isOrganizationSynced(db))) {
    throw invalid('The identity provider decides the organizations of this user: add them there.');
  }
  await holdUser(db, user.id);
  const now = services.clock.now();
  try {
    const row = await db.organizationMember.create({
      data: { organizationId, userId: user.id, createdAt: now, updatedAt: now },
      select: memberSelect,
    });
    await announceRights(call, user.id);
    call.audit.update({ after: auditedMember(row) });
    return presentMember(row, { organization: new Map() });
  } catch (error) {
    throw isUniqueViolation(error) ? invalid('The user is a member of the organization already.') : error;
  }
}
