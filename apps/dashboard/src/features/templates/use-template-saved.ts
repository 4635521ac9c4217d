import type { Template } from '@berth/api/contract/templates';
import { useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';

/** Puts what the server answered about a template wherever it is shown. */
export function useTemplateSaved(): (template: Template) => Promise<void> {
  const queryClient = useQueryClient();
  return async (template) => {
    queryClient.setQueryData(
      trpc.templates.getByName.queryKey({ organization: template.organization_name, templatename: template.name }),
      template,
    );
    await Promise.all([
      queryClient.invalidateQueries(trpc.templates.list.pathFilter()),
      // Whether a start is asked for an update, and when something stops, stands with the workspaces.
      queryClient.invalidateQueries(trpc.workspaces.pathFilter()),
    ]);
  };
}
