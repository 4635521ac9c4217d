import { notFound } from '@berth/core';
import { Prisma } from '@berth/db';
import { organizationMemberObject, userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import type { UserPath } from '../users/index.ts';
import { resolveUser } from '../users/index.ts';
import type { QuotaPath, WorkspaceQuota } from './contract.ts';
import { QUOTA_LIST_MAX, QuotaExplanation } from './contract.ts';
import type { QuotaHolder } from './sums.ts';
import { groupsOfSql, readQuota, workspacesOfSql } from './sums.ts';

/** What a member of an organization may spend there and spends. */
export async function getQuota(call: UserCall, input: z.output<typeof QuotaPath>): Promise<WorkspaceQuota> {
  const { consumed, allowance } = await readQuota(call.db, await holderOf(call, input));
  return { credits_consumed: consumed, budget: allowance };
}

/** The same in the default organization. */
export function getDefaultQuota(call: UserCall, { user }: z.output<typeof UserPath>): Promise<WorkspaceQuota> {
  return getQuota(call, { organization: 'default', user });
}

/** The user's own quota is theirs to see; others see that of members whom they may read. */
async function holderOf(call: UserCall, { organization, user }: z.output<typeof QuotaPath>): Promise<QuotaHolder> {
  const { id: organizationId } = await resolveOrganization(call, organization);
  const owner = await resolveUser(call, user);
  call.authorize.require(userObject(owner.id));
  const isMember = owner.memberships.some((membership) => membership.organizationId === organizationId);
  if (!isMember || !call.authorize.can('read', organizationMemberObject({ userId: owner.id, organizationId }))) throw notFound();
  return { ownerId: owner.id, organizationId };
}

const Lists = QuotaExplanation.pick({ groups: true, workspaces: true });

/** A quota with the groups that make the budget and the workspaces that use it. */
export async function explainQuota(call: UserCall, input: z.output<typeof QuotaPath>): Promise<QuotaExplanation> {
  const holder = await holderOf(call, input);
  const [row] = await call.db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'display_name', g.display_name,
          'quota_allowance', g.quota_allowance) ORDER BY g.quota_allowance DESC, g.name)
        FROM (SELECT * FROM groups g WHERE ${groupsOfSql(holder)}
          ORDER BY g.quota_allowance DESC, g.name LIMIT ${QUOTA_LIST_MAX}) g), '[]'::jsonb) AS groups,
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'daily_cost', w.daily_cost,
          'build_number', w.build_number) ORDER BY w.daily_cost DESC, w.name)
        FROM (SELECT w.id, w.name, b.daily_cost, b.build_number FROM workspaces w JOIN workspace_builds b ON b.id = w.latest_build_id
          WHERE ${workspacesOfSql(holder)} ORDER BY b.daily_cost DESC, w.name LIMIT ${QUOTA_LIST_MAX}) w), '[]'::jsonb) AS workspaces`);
  const { consumed, allowance } = await readQuota(call.db, holder);
  return { credits_consumed: consumed, budget: allowance, ...Lists.parse(row) };
}
