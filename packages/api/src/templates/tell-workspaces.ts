import type { Tx } from '@berth/db';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';

/** Workspaces whose watchers hear at once what became of their template; others learn it with their next change. */
const MAX_NEWS = 500;

/** Tells those who watch the workspaces of a template, the last used ones first, that it changed. Delivered when the transaction commits. */
export async function tellWorkspaces(db: Tx, services: Services, templateId: string): Promise<void> {
  const workspaces = await db.workspace.findMany({
    where: { templateId, deleted: false },
    orderBy: { lastUsedAt: 'desc' },
    take: MAX_NEWS,
    select: { id: true, ownerId: true },
  });
  for (const { id, ownerId } of workspaces) {
    await services.bus.publish(db, workspaceChannel, { workspace_id: id, owner_id: ownerId, kind: 'template' });
  }
}
