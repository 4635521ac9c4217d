import { notFound } from '@berth/core';
import type { ObjectRef } from '@berth/rbac';
import { organizationObject } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import type { OrganizationRow } from '../organizations/index.ts';
import { resolveOrganization } from '../organizations/index.ts';

/** The sync settings of the site, or of one organization. */
export function syncObject(organizationId: string | null): ObjectRef<'idpsync_settings'> {
  return { type: 'idpsync_settings', organizationId };
}

/**
 * The organization of a request about its sync settings, once the procedure's permission is asked. An organization that the caller may
 * not see is not found; one that they see is no secret, so a refusal there is 403.
 */
export async function organizationOfSync(call: UserCall, param: string): Promise<OrganizationRow> {
  const organization = await resolveOrganization(call, param);
  const object = syncObject(organization.id);
  if (!call.authorize.can('read', organizationObject(organization.id)) && !call.authorize.can('read', object)) throw notFound();
  call.authorize.require(object, { sitewide: true });
  return organization;
}
