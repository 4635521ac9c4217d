import type { Workspace as WorkspaceRow } from '@berth/db';

/** The tracked state of a workspace, by the names of the audit log. */
export function auditOf(
  row: Pick<
    WorkspaceRow,
    'id' | 'ownerId' | 'templateId' | 'name' | 'autostartSchedule' | 'ttlMs' | 'dormantAt' | 'deletingAt' | 'automaticUpdates' | 'favorite'
  >,
): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    owner_id: row.ownerId,
    template_id: row.templateId,
    name: row.name,
    autostart_schedule: row.autostartSchedule,
    ttl: row.ttlMs,
    dormant_at: row.dormantAt,
    deleting_at: row.deletingAt,
    automatic_updates: row.automaticUpdates,
    favorite: row.favorite,
  };
}
