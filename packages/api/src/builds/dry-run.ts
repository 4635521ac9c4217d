import { DomainError, forbidden } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { Transition } from '@berth/domain';
import { normalizeTags, quotaAllows, tagsMatch } from '@berth/domain';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { WorkspaceFactsRow } from './build-facts.ts';
import type { BuildVersionRow } from './version-for-build.ts';

/** A daemon that was not heard from for this long cannot be counted on. */
const DAEMON_STALE_MS = 180_000;

/** Everything until `forgetDryRun` never happened, its news included. */
export async function startDryRun(db: Tx): Promise<void> {
  await db.$executeRaw(Prisma.sql`SAVEPOINT dry_run`);
}

export async function forgetDryRun(db: Tx): Promise<void> {
  await db.$executeRaw(Prisma.sql`ROLLBACK TO SAVEPOINT dry_run`);
}

interface DryRun {
  readonly workspace: WorkspaceFactsRow;
  readonly version: BuildVersionRow;
  readonly transition: Transition;
}

/**
 * What a real build only finds out later: whether a provisioner is there to run it, and whether what it makes fits the owner's quota
 * (by the resources that the import of the version foresaw).
 *
 * @throws unavailable when no living daemon may take the job; forbidden when the quota does not allow it.
 */
export async function requireDryRunChecks(call: UserCall, { workspace, version, transition }: DryRun): Promise<void> {
  await requireProvisioner(call, workspace.organizationId, version);
  if (transition !== 'start') return;
  const facts = await quotaFacts(call.db, workspace, version.id);
  if (!quotaAllows({ ...facts, previousCost: workspace.latestBuild?.dailyCost ?? null })) {
    throw forbidden(`The build costs ${facts.cost} a day; ${facts.consumed} of the quota of ${facts.allowance} are used already.`);
  }
}

const Tags = z.record(z.string(), z.string());

async function requireProvisioner(call: UserCall, organizationId: string, version: BuildVersionRow): Promise<void> {
  const heardSince = new Date(call.services.clock.now().getTime() - DAEMON_STALE_MS);
  const daemons = await call.db.provisionerDaemon.findMany({
    where: { organizationId, lastSeenAt: { gte: heardSince }, provisioners: { has: version.job.provisioner } },
    select: { tags: true },
    take: 1000,
  });
  const needed = normalizeTags(Tags.parse(version.job.tags), call.principal.userId);
  if (daemons.some(({ tags }) => tagsMatch(needed, Tags.parse(tags)))) return;
  throw new DomainError('unavailable', 'No provisioner that could run this build is connected.');
}

interface QuotaRow {
  readonly cost: number;
  readonly consumed: number;
  readonly allowance: number;
}

/** The same sums as at the commit of a build: the latest builds of the owner's living workspaces, without this one. */
async function quotaFacts(db: Tx, workspace: WorkspaceFactsRow, versionId: string): Promise<QuotaRow> {
  const [row] = await db.$queryRaw<QuotaRow[]>(Prisma.sql`
    SELECT
      (SELECT COALESCE(sum(r.daily_cost), 0)::int FROM template_versions v JOIN workspace_resources r ON r.job_id = v.job_id
        WHERE v.id = ${versionId}::uuid AND r.transition = 'start') AS cost,
      (SELECT COALESCE(sum(b.daily_cost), 0)::int FROM workspaces w JOIN workspace_builds b ON b.id = w.latest_build_id
        WHERE w.owner_id = ${workspace.ownerId}::uuid AND w.organization_id = ${workspace.organizationId}::uuid
          AND NOT w.deleted AND w.id <> ${workspace.id}::uuid) AS consumed,
      (SELECT COALESCE(sum(g.quota_allowance), 0)::int FROM groups g
        WHERE g.organization_id = ${workspace.organizationId}::uuid AND (g.id = g.organization_id
          OR EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = g.id AND m.user_id = ${workspace.ownerId}::uuid))) AS allowance`);
  if (row === undefined) throw new Error('a sum has no row');
  return row;
}
