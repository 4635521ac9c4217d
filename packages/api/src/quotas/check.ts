import { forbidden } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { Transition } from '@berth/domain';
import { quotaAllows, quotaProblem } from '@berth/domain';
import type { QuotaHolder } from './sums.ts';
import { holdQuota, readQuota } from './sums.ts';

export interface ForeseenBuild {
  /** The workspace, if there is one already. */
  readonly workspace: QuotaHolder & { readonly id?: string };
  readonly versionId: string;
  readonly transition: Transition;
  /** What the workspace costs until now; null if it was never built. */
  readonly previousCost: number | null;
}

/**
 * Refuses a build that will not fit its owner's quota, by what the import of the version foresaw. Builds that are queued at the same
 * time may both pass here: what each really costs is judged when it is planned (`judgeCost`).
 *
 * @throws forbidden, naming what the build costs, what is used and what is allowed.
 */
export async function requireQuota(db: Tx, { workspace, versionId, transition, previousCost }: ForeseenBuild): Promise<void> {
  if (transition !== 'start') return;
  const cost = await foreseenCost(db, versionId);
  if (cost === 0) return;
  const sums = await readQuota(db, workspace, workspace.id === undefined ? {} : { except: workspace.id });
  if (quotaAllows({ ...sums, transition, cost, previousCost })) return;
  throw forbidden(quotaProblem({ ...sums, cost }));
}

async function foreseenCost(db: Tx, versionId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ cost: bigint }[]>(Prisma.sql`
    SELECT coalesce(sum(r.daily_cost), 0)::bigint AS cost FROM template_versions v JOIN workspace_resources r ON r.job_id = v.job_id
    WHERE v.id = ${versionId}::uuid AND r.transition = 'start'`);
  return Number(row?.cost ?? 0);
}

export interface PlannedBuild {
  readonly workspace: QuotaHolder & { readonly id: string };
  readonly transition: Transition;
  readonly cost: number;
  readonly previousCost: number | null;
}

/**
 * Why a build that was planned does not fit its owner's quota, or null. Holds the quota until the transaction ends, so that builds
 * which are planned at once cannot spend it together.
 */
export async function judgeCost(db: Tx, { workspace, transition, cost, previousCost }: PlannedBuild): Promise<string | null> {
  if (transition !== 'start' || cost === 0) return null;
  await holdQuota(db, workspace);
  const sums = await readQuota(db, workspace, { except: workspace.id });
  return quotaAllows({ ...sums, transition, cost, previousCost }) ? null : quotaProblem({ ...sums, cost });
}
