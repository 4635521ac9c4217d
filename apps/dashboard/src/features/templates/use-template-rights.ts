import type { Answers } from '../access/use-permissions.ts';
import { ask, usePermissions } from '../access/use-permissions.ts';

/** What the signed-in person may do to a template, its own lists of people and groups counted. */
export function useTemplateRights({ id }: { readonly id: string }): Answers<'update' | 'delete' | 'viewInsights'> {
  return usePermissions({
    update: ask('template:update', { resource_id: id }),
    viewInsights: ask('template:view_insights', { resource_id: id }),
    delete: ask('template:delete', { resource_id: id }),
  });
}
