import type { Template } from '@berth/api/contract/templates';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../api/trpc.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { PERMISSIONS_KEY } from '../access/use-permissions.ts';

/** Empty takes the access away. */
export type GivenRole = 'use' | 'admin' | '';

export interface Grant {
  readonly kind: 'user' | 'group';
  readonly id: string;
  readonly role: GivenRole;
}

/** Gives somebody a role in a template, or takes it. Resolves when the list shows it. */
export function useAclChange(template: Template) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ kind, id, role }: Grant) =>
      client.templates.updateAcl.mutate({ template: template.id, [kind === 'user' ? 'user_perms' : 'group_perms']: { [id]: role } }),
    onSuccess: async (_answer, { role }) => {
      notifyDone(role === '' ? 'The access is taken away.' : 'The access is given.');
      await Promise.all([
        queryClient.invalidateQueries(trpc.templates.acl.pathFilter()),
        queryClient.invalidateQueries(trpc.templates.aclAvailable.pathFilter()),
        queryClient.invalidateQueries({ queryKey: PERMISSIONS_KEY }),
      ]);
    },
    onError: (error) => notifyFailure('The access stays as it was', error),
  });
  return { give: change.mutate, isPending: change.isPending, pendingId: change.isPending ? change.variables.id : undefined };
}
