import { newId } from '@berth/core';
import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { BuildReason, ParameterValue, ProvisionerType, Transition } from '@berth/domain';
import { workspaceChannel } from '../kernel/channels.ts';
import type { RequestFacts, Services } from '../kernel/context.ts';
import { enqueueJob } from '../provisioner-jobs/index.ts';
import type { BuildVersionRow } from './version-for-build.ts';
import { buildTags } from './version-for-build.ts';

export interface NewBuild {
  readonly workspace: { readonly id: string; readonly ownerId: string; readonly organizationId: string };
  readonly version: BuildVersionRow;
  readonly previous: { readonly id: string; readonly buildNumber: number } | null;
  readonly transition: Transition;
  readonly reason: BuildReason;
  readonly initiatorId: string;
  readonly parameters: readonly ParameterValue[];
  readonly logLevel: '' | 'debug';
  /** Null takes over the state of the previous build. */
  readonly state: Uint8Array<ArrayBuffer> | null;
  readonly request: RequestFacts;
}

/**
 * Queues the job, writes the build and makes it the workspace's latest; answers its id. The caller holds the lock of the workspace's
 * row and has checked everything.
 */
export async function insertBuild(db: Tx, services: Services, build: NewBuild): Promise<string> {
  const { workspace, version, previous } = build;
  const id = newId();
  const now = services.clock.now();
  const jobId = await enqueueJob(db, services, {
    kind: 'workspace_build',
    organizationId: workspace.organizationId,
    initiatorId: build.initiatorId,
    // The column carries a check constraint with these very values.
    provisioner: version.job.provisioner as ProvisionerType,
    fileId: version.job.fileId,
    tags: buildTags(version),
    tagOwnerId: workspace.ownerId,
    input: { log_level: build.logLevel, ...(build.state === null ? {} : { state_replaced: true }) },
    request: build.request,
  });
  await db.workspaceBuild.create({
    data: {
      id,
      workspaceId: workspace.id,
      buildNumber: (previous?.buildNumber ?? 0) + 1,
      transition: build.transition,
      reason: build.reason,
      templateVersionId: version.id,
      initiatorId: build.initiatorId,
      jobId,
      provisionerState: build.state ?? new Uint8Array(),
      createdAt: now,
      updatedAt: now,
      parameters: { create: build.parameters.map(({ name, value }) => ({ name, value })) },
    },
    select: { id: true },
  });
  if (previous !== null) {
    // Until it is planned, the workspace still costs what the build before made.
    await db.$executeRaw(Prisma.sql`
      UPDATE workspace_builds made SET daily_cost = before.daily_cost,
        provisioner_state = CASE WHEN ${build.state === null} THEN before.provisioner_state ELSE made.provisioner_state END
      FROM workspace_builds before WHERE made.id = ${id}::uuid AND before.id = ${previous.id}::uuid`);
  }
  await db.workspace.update({
    where: { id: workspace.id },
    data: { latestBuildId: id, isRunning: false, scheduleProblem: '', updatedAt: now },
    select: { id: true },
  });
  await services.bus.publish(db, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'build' });
  return id;
}
