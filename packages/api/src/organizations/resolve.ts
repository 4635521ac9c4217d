import { isUuid, NIL_UUID, notFound } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';
import { sameText } from '@berth/db';
import { DEFAULT_ORGANIZATION_ALIAS } from '@berth/domain';

export const organizationSelect = {
  id: true,
  name: true,
  displayName: true,
  description: true,
  icon: true,
  isDefault: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Prisma.OrganizationSelect;

export type OrganizationRow = Prisma.OrganizationGetPayload<{ select: typeof organizationSelect }>;

/**
 * The organization that a path parameter or filter names: by id, by name (any case), or the default one for `default` and the zero
 * UUID. Null if there is none. Says nothing about who may see it: the caller must authorise.
 */
export async function findOrganization(db: Tx, param: string): Promise<OrganizationRow | null> {
  return await db.organization.findFirst({ where: whereOrganization(param), select: organizationSelect });
}

/**
 * Like `findOrganization`, but an unknown one is refused as not found. The caller must still authorise, with
 * `organizationObject(row.id)` or whatever object of the organization it acts on.
 */
export async function resolveOrganization(call: { readonly db: Tx }, param: string): Promise<OrganizationRow> {
  const row = await findOrganization(call.db, param);
  if (row === null) throw notFound();
  return row;
}

function whereOrganization(param: string): Prisma.OrganizationWhereInput {
  if (param === NIL_UUID || param.toLowerCase() === DEFAULT_ORGANIZATION_ALIAS) return { isDefault: true };
  if (isUuid(param)) return { id: param.toLowerCase() };
  return { name: sameText(param) };
}
