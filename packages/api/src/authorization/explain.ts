import { invalidField, notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import type { ObjectRef, Role, Subject } from '@berth/rbac';
import { can, explain, organizationObject, rolesThatWouldGrant, userObject } from '@berth/rbac';
import type { z } from 'zod';
import { readSubject } from '../auth/subject-row.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { findOrganization } from '../organizations/index.ts';
import { listCustomRoles, roleDefinition } from '../roles/index.ts';
import type { UserRow } from '../users/index.ts';
import { resolveUser } from '../users/index.ts';
import { describedObject, namedBy, nameProblemOf } from './check.ts';
import type { AuthorizationObject, ExplainAuthorization, Explanation } from './contract.ts';
import { keyOf, loadObjects } from './load-objects.ts';
import { presentExplanation } from './present-explanation.ts';

/**
 * Whether a user may do something, and by which role, group or list; when not, what is in the way and which roles would help. The caller
 * must be able to read the user, the organization and the object that the question names. Of oneself it is answered for the
 * credential in use, of others by everything that they were given.
 */
export async function explainAuthorization(call: UserCall, input: z.output<typeof ExplainAuthorization>): Promise<Explanation> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  const object = await askedObject(call, input.object);
  const subject = await subjectOf(call, user);
  const custom = await customRolesFor(call.db, object);
  const isSuspended = user.status === 'suspended';
  const explained = explain(subject, input.action, object);
  const isAllowed = explained.allowed && !isSuspended;
  return await presentExplanation(call, {
    user,
    action: input.action,
    object,
    isSuspended,
    explained,
    wouldGrant: isAllowed || isSuspended ? [] : rolesThatWouldGrant(subject, input.action, { object, custom }),
  });
}

async function subjectOf(call: UserCall, user: UserRow): Promise<Subject> {
  if (user.id === call.principal.userId) return call.principal.subject;
  const found = await readSubject(call.db, user.id);
  if (found === null) throw notFound();
  return found.subject;
}

/** The object of the question. What is named and cannot be read is not found. */
async function askedObject(call: UserCall, asked: z.output<typeof AuthorizationObject>): Promise<ObjectRef<string>> {
  const problem = nameProblemOf(asked);
  if (problem !== null) throw invalidField('object.resource_id', problem);
  const named = namedBy(asked);
  if (named !== null) {
    const found = (await loadObjects(call.db, [named])).get(keyOf(named));
    if (found === undefined || !can(call.principal.subject, 'read', found)) throw notFound();
    return found;
  }
  const described = describedObject(asked, call.principal.userId);
  if (asked.organization_id === '' || asked.any_org) return described;
  const organization = await findOrganization(call.db, asked.organization_id);
  if (organization === null || !call.authorize.can('read', organizationObject(organization.id))) throw notFound();
  return { ...described, organizationId: organization.id };
}

/** The custom roles that could help with an object. */
interface CustomRoles {
  readonly site: readonly Role[];
  readonly organization: readonly Role[];
}

async function customRolesFor(db: Tx, { anyOrganization, organizationId }: ObjectRef<string>): Promise<CustomRoles> {
  const of = async (place: string | null) => (await listCustomRoles(db, place)).map(roleDefinition);
  const isSomewhere = anyOrganization !== true && organizationId !== null && organizationId !== undefined && organizationId !== '';
  return { site: await of(null), organization: isSomewhere ? await of(organizationId) : [] };
}
