import { DomainError, invalid, counted } from '@berth/core';
import type { Tx } from '@berth/db';
import { isForeignKeyViolation } from '@berth/db';
import { organizationObject } from '@berth/rbac';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { announceRightsOfAll } from '../kernel/rights.ts';
import { auditedOrganization } from './audit.ts';
import { resolveOrganization } from './resolve.ts';

/**
 * Deletes an organization with its members, groups, roles, templates, versions, jobs, daemons and keys. The default one stays, and so
 * does one with workspaces, deleted ones included: their builds and audit rows lead to it.
 */
export async function deleteOrganization(call: UserCall, input: { organization: string }): Promise<Confirmation> {
  const row = await resolveOrganization(call, input.organization);
  call.audit.set({ resourceId: row.id, target: row.name, icon: row.icon, organizationId: row.id });
  call.authorize.require(organizationObject(row.id));
  if (row.isDefault) throw invalid('The default organization cannot be deleted.');
  // From here on nobody makes a workspace in it, nor joins it: both refer to this row.
  await call.db.$queryRaw`SELECT 1 FROM organizations WHERE id = ${row.id}::uuid FOR UPDATE`;
  await refuseWithWorkspaces(call.db, row.id);
  const members = await call.db.organizationMember.findMany({ where: { organizationId: row.id }, select: { userId: true } });
  try {
    await deleteRows(call.db, row.id);
  } catch (error) {
    throw isForeignKeyViolation(error) ? stillUsed('Something in it is used from elsewhere.') : error;
  }
  await announceRightsOfAll(
    call,
    members.map((member) => member.userId),
  );
  call.audit.update({ before: auditedOrganization(row) });
  return confirmed(`The organization ${row.name} is deleted.`);
}

async function refuseWithWorkspaces(db: Tx, organizationId: string): Promise<void> {
  // A template knows its workspaces by itself, so that none of another organization can be lost with it.
  const where = { OR: [{ organizationId }, { template: { organizationId } }] };
  const [all, deleted] = [await db.workspace.count({ where }), await db.workspace.count({ where: { deleted: true, AND: [where] } })];
  if (all === 0) return;
  throw stillUsed(
    `It has ${counted(all - deleted, 'workspace')}, and ${counted(deleted, 'deleted one is', 'deleted ones are')} still on record.`,
  );
}

function stillUsed(detail: string): DomainError {
  return new DomainError('conflict', 'The organization is still in use.', { detail });
}

/** In the order in which rows refer to each other: templates to their active versions, versions to their jobs. */
async function deleteRows(db: Tx, organizationId: string): Promise<void> {
  await db.template.deleteMany({ where: { organizationId } });
  await db.templateVersion.deleteMany({ where: { organizationId } });
  await db.provisionerJob.deleteMany({ where: { organizationId } });
  await db.organization.delete({ where: { id: organizationId }, select: { id: true } });
}
