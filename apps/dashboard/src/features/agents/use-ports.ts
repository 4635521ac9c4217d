import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { PortProtocol, SharingLevel } from '@berth/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../api/trpc.ts';
import { notifyFailure } from '../../ui/notify.ts';

const LOOK_AGAIN_MS = 10_000;

/** What listens in the workspace, looked at again while the page is seen, and who else opens it. */
export function usePorts(workspace: Workspace, agent: WorkspaceAgent) {
  const listening = useQuery(
    trpc.agents.listeningPorts.queryOptions({ workspaceagent: agent.id }, { staleTime: 0, refetchInterval: LOOK_AGAIN_MS }),
  );
  const shares = useQuery(trpc.portShares.list.queryOptions({ workspace: workspace.id }, { refetchInterval: LOOK_AGAIN_MS }));
  const template = useQuery(trpc.templates.get.queryOptions({ template: workspace.template_id }));
  return {
    listening,
    shares: shares.data?.shares.filter(({ agent_name: name }) => name === agent.name) ?? [],
    /** Until it is known, nothing more is offered. */
    levelMax: template.data?.max_port_share_level ?? 'owner',
  };
}

export interface PortChange {
  readonly port: number;
  readonly level: SharingLevel;
  readonly protocol: PortProtocol;
}

/** Shares a port, changes how, or makes it its owner's alone again. Resolves when the list shows it. */
export function useSharePort(workspace: Workspace, agent: WorkspaceAgent) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ port, level, protocol }: PortChange): Promise<void> => {
      const place = { workspace: workspace.id, agent_name: agent.name, port };
      if (level === 'owner') await client.portShares.delete.mutate(place);
      else await client.portShares.upsert.mutate({ ...place, share_level: level, protocol });
    },
    onSuccess: () => queryClient.invalidateQueries(trpc.portShares.list.pathFilter()),
    onError: (error, { port }) => notifyFailure(`Port ${port} is shared as it was`, error),
  });
}
