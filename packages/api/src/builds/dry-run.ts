import { DomainError } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { normalizeTags, tagsMatch } from '@berth/domain';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';
import type { WorkspaceFactsRow } from './build-facts.ts';
import type { BuildVersionRow } from './version-for-build.ts';
import { buildTags } from './version-for-build.ts';

const Tags = z.record(z.string(), z.string());

/** Everything until `forgetDryRun` never happened, its news included. */
export async function startDryRun(db: Tx): Promise<void> {
  await db.$executeRaw(Prisma.sql`SAVEPOINT dry_run`);
}

export async function forgetDryRun(db: Tx): Promise<void> {
  await db.$executeRaw(Prisma.sql`ROLLBACK TO SAVEPOINT dry_run`);
}

/**
 * What a real build only finds out later: whether a provisioner is there to run it.
 *
 * @throws unavailable when no living daemon may take the job.
 */
export async function requireProvisioner(
  call: UserCall,
  { ownerId, organizationId }: Pick<WorkspaceFactsRow, 'ownerId' | 'organizationId'>,
  version: BuildVersionRow,
): Promise<void> {
  const heardSince = new Date(call.services.clock.now().getTime() - DAEMON_STALE_MS);
  const daemons = await call.db.provisionerDaemon.findMany({
    where: { organizationId, lastSeenAt: { gte: heardSince }, drainingAt: null, provisioners: { has: version.job.provisioner } },
    select: { tags: true },
    take: 1000,
  });
  const needed = normalizeTags(buildTags(version), ownerId);
  if (daemons.some(({ tags }) => tagsMatch(needed, Tags.parse(tags)))) return;
  throw new DomainError('unavailable', 'No provisioner that could run this build is connected.');
}
