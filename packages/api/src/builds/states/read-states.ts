import { notFound } from '@berth/core';
import type { Transition } from '@berth/domain';
import { buildStatus } from '@berth/domain';
import type { z } from 'zod';
import { templateFactsSelect, templateRef, workspaceRef } from '../build-facts.ts';
import type { ReadCall } from '../read-builds.ts';
import type { ListStates, StoredState } from './contract.ts';

interface SizeRow {
  readonly id: string;
  readonly size: number;
}

/** The states that the builds of a workspace left behind, newest first, for those who may update its template. */
export async function listStates(call: ReadCall, input: z.output<typeof ListStates>): Promise<StoredState[]> {
  const workspace = await call.db.workspace.findUnique({
    where: { id: input.workspace },
    select: {
      id: true,
      ownerId: true,
      organizationId: true,
      dormantAt: true,
      latestBuildId: true,
      template: { select: templateFactsSelect },
    },
  });
  if (workspace === null || !call.authorize.can('read', workspaceRef(workspace))) throw notFound();
  call.authorize.require(templateRef(workspace.template), { sitewide: true });
  const sizes = await call.db.$queryRaw<SizeRow[]>`
    SELECT id, octet_length(provisioner_state) AS size FROM workspace_builds
    WHERE workspace_id = ${workspace.id}::uuid AND octet_length(provisioner_state) > 0
    ORDER BY build_number DESC LIMIT ${input.limit} OFFSET ${input.offset}`;
  const builds = await call.db.workspaceBuild.findMany({
    where: { id: { in: sizes.map(({ id }) => id) } },
    orderBy: { buildNumber: 'desc' },
    select: {
      id: true,
      buildNumber: true,
      createdAt: true,
      updatedAt: true,
      transition: true,
      job: { select: { startedAt: true, completedAt: true, canceledAt: true, error: true } },
    },
  });
  const sizeOf = new Map(sizes.map(({ id, size }) => [id, size]));
  return builds.map((build) => {
    // The column carries a check constraint with these very values.
    const transition = build.transition as Transition;
    return {
      build_id: build.id,
      build_number: build.buildNumber,
      created_at: build.createdAt.toISOString(),
      updated_at: build.updatedAt.toISOString(),
      transition,
      status: buildStatus(build.job, transition),
      size: sizeOf.get(build.id) ?? 0,
      is_current: build.id === workspace.latestBuildId,
    };
  });
}
