import type { TemplateVersion } from '@berth/db';

/** What the audit log tracks of a version, under its wire names. */
export function trackedVersion(row: TemplateVersion): Record<string, unknown> {
  return {
    id: row.id,
    template_id: row.templateId,
    name: row.name,
    readme: row.readme,
    created_by: row.createdById,
    archived: row.archived,
  };
}
