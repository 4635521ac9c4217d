import { notFound } from '@berth/core';
import type { z } from 'zod';
import { workspaceSharesChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { holdWorkspace } from '../workspaces/index.ts';
import type { SharePath } from './contract.ts';
import { shareSelect, statusOf } from './presenter.ts';
import { recordOf } from './record.ts';

/** Takes a share back: what is open by it ends at once. One that is over already stays as it is. @throws not_found. */
export async function endShare(call: UserCall, input: z.output<typeof SharePath>): Promise<void> {
  const { db, services } = call;
  const workspace = await holdWorkspace(call, input.workspace);
  call.audit.update({ additionalFields: { share: 'taken_back', share_id: input.share } });
  const share = await db.workspaceShare.findUnique({ where: { id: input.share, workspaceId: workspace.id }, select: shareSelect });
  if (share === null) throw notFound();
  const now = services.clock.now();
  if (statusOf(share, now) !== 'active') {
    call.audit.discard();
    return;
  }
  await db.workspaceShare.update({ where: { id: share.id }, data: { endedAt: now }, select: { id: true } });
  call.audit.update({ additionalFields: recordOf(share, 'taken_back') });
  await services.bus.publish(db, workspaceSharesChannel, { workspace_id: workspace.id });
}
