import { forbidden, notFound } from '@berth/core';
import type { ObjectRef } from '@berth/rbac';
import { coversRightsIn, organizationMemberObject } from '@berth/rbac';
import { readSubject } from '../auth/subject-row.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import type { MemberRow } from './member-rows.ts';
import { findMember, lockMember } from './member-rows.ts';

/**
 * The member that a path names, once the caller is allowed what the procedure does, asked about the object that `objectOf` makes of the
 * member. Members whom the caller may not read are not found. Nobody acts on a member who may do more in the organization than they.
 */
export async function permittedMember(
  call: UserCall,
  input: { organization: string; user: string },
  objectOf: (row: MemberRow) => ObjectRef = organizationMemberObject,
): Promise<MemberRow> {
  const { id: organizationId } = await resolveOrganization(call, input.organization);
  const found = await findMember(call, { organizationId, user: input.user });
  // Two changes of one member take turns, so that each decides about the roles that the other left.
  const row = found === null ? null : await lockMember(call, found);
  if (row === null || !call.authorize.can('read', organizationMemberObject(row))) throw notFound();
  call.audit.set({ resourceId: row.userId, target: row.user.username, organizationId });
  // That the member exists is known by now, so a refusal is plain.
  call.authorize.require(objectOf(row), { sitewide: true });
  return row;
}

/** Refuses to change a member who may do more in the organization than the caller may. Oneself is never refused. */
export async function requireCoverIn(call: UserCall, { organizationId, userId }: MemberRow): Promise<void> {
  if (userId === call.principal.userId) return;
  const target = await readSubject(call.db, userId);
  if (target === null || coversRightsIn(call.principal.subject, { target: target.subject, organizationId })) return;
  throw forbidden('This member may do things in the organization that you may not, so you may not change them.');
}
