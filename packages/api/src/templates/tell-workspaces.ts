import type { Tx } from '@berth/db';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';

/** Workspaces whose watchers are notified at once; the others learn of the change with their next event. */
const MAX_WORKSPACES = 500;

/** Notifies the watchers of a template's most recently used workspaces that it changed, by two statements. Delivered at the commit. */
export async function tellWorkspaces(db: Tx, services: Services, templateId: string): Promise<void> {
  const workspaces = await db.workspace.findMany({
    where: { templateId, deleted: false },
    orderBy: { lastUsedAt: 'desc' },
    take: MAX_WORKSPACES,
    select: { id: true, ownerId: true },
  });
  const events = workspaces.map(({ id, ownerId }) => ({ workspace_id: id, owner_id: ownerId, kind: 'template' }));
  await services.bus.publishAll(db, workspaceChannel, events);
}
