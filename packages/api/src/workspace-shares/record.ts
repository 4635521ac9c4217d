import type { ShareRow } from './presenter.ts';
import { presentRecipient } from './presenter.ts';

/** What the audit log keeps of a share, beside the workspace that the row is about. */
export function recordOf(
  share: Pick<ShareRow, 'id' | 'access' | 'user' | 'group' | 'agentName' | 'appSlug' | 'terminalId' | 'expiresAt'>,
  event: 'created' | 'taken_back' | 'expired' | 'used',
): Readonly<Record<string, unknown>> {
  const { type, id, name } = presentRecipient(share);
  return {
    share: event,
    share_id: share.id,
    access: share.access,
    recipient_type: type,
    recipient_id: id,
    recipient_name: name,
    agent_name: share.agentName,
    app_slug: share.appSlug,
    terminal_id: share.terminalId,
    expires_at: share.expiresAt.toISOString(),
  };
}
