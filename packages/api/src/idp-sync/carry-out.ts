import { newId } from '@berth/core';
import type { IdpSyncPlan } from '@berth/domain';
import { auditedGroup } from '../groups/index.ts';
import { auditedUser, userSelect } from '../users/index.ts';
import type { SyncAudit, SyncCall } from './apply.ts';

interface CarryOut {
  readonly plan: IdpSyncPlan;
  readonly userId: string;
  readonly audit: SyncAudit;
}

/** Writes what a plan changes, each change with its audit row. Says whether there was any. */
export async function carryOut(call: SyncCall, { plan, userId, audit }: CarryOut): Promise<boolean> {
  const user = await call.db.user.findUniqueOrThrow({ where: { id: userId }, select: userSelect });
  const work = { plan, audit, user: { id: user.id, username: user.username } };
  const changes = [
    await changeMemberships(call, work),
    await changeGroups(call, work),
    await changeOrganizationRoles(call, work),
    await changeSiteRoles(call, { ...work, user }),
  ];
  return changes.some((hasChanged) => hasChanged);
}

interface Work {
  readonly plan: IdpSyncPlan;
  readonly audit: SyncAudit;
  readonly user: { readonly id: string; readonly username: string };
}

const memberSelect = { roles: true, createdAt: true, updatedAt: true } as const;

function auditedMember(user: Work['user'], row: { roles: string[]; createdAt: Date; updatedAt: Date }): Readonly<Record<string, unknown>> {
  return { username: user.username, user_id: user.id, created_at: row.createdAt, updated_at: row.updatedAt, roles: row.roles };
}

async function changeMemberships({ db, services }: SyncCall, { plan, audit, user }: Work): Promise<boolean> {
  const now = services.clock.now();
  const changed = plan.organizations.items.filter(({ change }) => change !== 'keep');
  for (const { organizationId, change } of changed) {
    const row = { resource: 'organization_member', resourceId: user.id, target: user.username, organizationId } as const;
    const key = { organizationId_userId: { organizationId, userId: user.id } };
    if (change === 'remove') {
      const before = await db.organizationMember.delete({ where: key, select: memberSelect });
      await db.groupMember.deleteMany({ where: { userId: user.id, group: { organizationId } } });
      await audit({ ...row, action: 'delete', before: auditedMember(user, before) });
    } else {
      const after = await db.organizationMember.create({
        data: { organizationId, userId: user.id, createdAt: now, updatedAt: now },
        select: memberSelect,
      });
      await audit({ ...row, action: 'create', after: auditedMember(user, after) });
    }
  }
  return changed.length > 0;
}

const groupSelect = { id: true, name: true, displayName: true, avatarUrl: true, quotaAllowance: true, organizationId: true } as const;

async function changeGroups(call: SyncCall, { plan, audit, user }: Work): Promise<boolean> {
  const { db } = call;
  let hasChanged = false;
  for (const { organizationId, items } of plan.groups) {
    for (const { groupId, name, change } of items) {
      if (change === 'keep') continue;
      hasChanged = true;
      const id = groupId ?? (await groupNamed(call, { organizationId, name, audit }));
      const group = await db.group.findUniqueOrThrow({ where: { id }, select: groupSelect });
      const before = await memberIds(db, id);
      if (change === 'remove') await db.groupMember.deleteMany({ where: { groupId: id, userId: user.id } });
      else await db.groupMember.createMany({ data: [{ groupId: id, userId: user.id }], skipDuplicates: true });
      await audit({
        resource: 'group',
        action: 'write',
        resourceId: id,
        target: group.name,
        organizationId,
        before: auditedGroup(group, before),
        after: auditedGroup(group, await memberIds(db, id)),
      });
    }
  }
  return hasChanged;
}

/** The group of this name, made if it is not there; two sign-ins that make it at the same time find the same one. */
async function groupNamed(
  { db, services }: SyncCall,
  { organizationId, name, audit }: { organizationId: string; name: string; audit: SyncAudit },
): Promise<string> {
  const id = newId();
  const { count } = await db.group.createMany({
    data: [{ id, organizationId, name, source: 'oidc', createdAt: services.clock.now() }],
    skipDuplicates: true,
  });
  const group = await db.group.findUniqueOrThrow({ where: { organizationId_name: { organizationId, name } }, select: groupSelect });
  if (count > 0) {
    await audit({ resource: 'group', action: 'create', resourceId: id, target: name, organizationId, after: auditedGroup(group) });
  }
  return group.id;
}

async function memberIds(db: SyncCall['db'], groupId: string): Promise<string[]> {
  const rows = await db.groupMember.findMany({ where: { groupId }, select: { userId: true }, orderBy: { userId: 'asc' } });
  return rows.map(({ userId }) => userId);
}

async function changeOrganizationRoles({ db, services }: SyncCall, { plan, audit, user }: Work): Promise<boolean> {
  let hasChanged = false;
  for (const { organizationId, items } of plan.organizationRoles) {
    if (items.every(({ change }) => change === 'keep')) continue;
    hasChanged = true;
    const key = { organizationId_userId: { organizationId, userId: user.id } };
    const before = await db.organizationMember.findUniqueOrThrow({ where: key, select: memberSelect });
    const after = await db.organizationMember.update({
      where: key,
      data: { roles: remaining(items), updatedAt: services.clock.now() },
      select: memberSelect,
    });
    await audit({
      resource: 'organization_member',
      action: 'write',
      resourceId: user.id,
      target: user.username,
      organizationId,
      before: auditedMember(user, before),
      after: auditedMember(user, after),
    });
  }
  return hasChanged;
}

async function changeSiteRoles(
  { db, services }: SyncCall,
  { plan, audit, user }: Work & { readonly user: Parameters<typeof auditedUser>[0] },
): Promise<boolean> {
  const { items } = plan.siteRoles;
  if (items.every(({ change }) => change === 'keep')) return false;
  const after = await db.user.update({
    where: { id: user.id },
    data: { siteRoles: remaining(items), updatedAt: services.clock.now() },
    select: userSelect,
  });
  await audit({
    resource: 'user',
    action: 'write',
    resourceId: user.id,
    target: user.username,
    before: auditedUser(user),
    after: auditedUser(after),
  });
  return true;
}

function remaining(items: readonly { readonly role: string; readonly change: string }[]): string[] {
  return items.filter(({ change }) => change !== 'remove').map(({ role }) => role);
}
