import type { Tx } from '@berth/db';
import { jobLogsChannel, workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';

/** Tells everyone who watches a job, or the workspace it builds, that its state changed. Delivered when the transaction commits. */
export async function publishJobChange(db: Tx, services: Services, jobId: string): Promise<void> {
  await services.bus.publish(db, jobLogsChannel, { job_id: jobId });
  const build = await db.workspaceBuild.findUnique({
    where: { jobId },
    select: { workspace: { select: { id: true, ownerId: true } } },
  });
  if (build === null) return;
  await services.bus.publish(db, workspaceChannel, { workspace_id: build.workspace.id, owner_id: build.workspace.ownerId, kind: 'build' });
}
