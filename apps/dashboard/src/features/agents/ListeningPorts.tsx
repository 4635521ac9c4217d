import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';

/** What listens in the workspace, as of the last look. The ports of apps are not in it: those are shown as apps. */
export function ListeningPorts({ agent }: { agent: Pick<WorkspaceAgent, 'id' | 'apps'> }): React.JSX.Element {
  const ports = useQuery(trpc.agents.listeningPorts.queryOptions({ workspaceagent: agent.id }, { staleTime: 0 }));
  const found = ports.data?.ports ?? [];
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed">
        {agent.apps.length === 0 ? 'Listening ports' : 'Other listening ports'}
      </Text>
      {ports.isError ? (
        <Text size="xs">not known now</Text>
      ) : found.length === 0 ? (
        <Text size="xs">{ports.isPending ? '…' : 'none'}</Text>
      ) : (
        found.map(({ port, network, process_name: process }) => (
          <Badge key={`${network}:${port}`} color="gray" className="tabular">
            {port}
            {process !== '' && ` ${process}`}
          </Badge>
        ))
      )}
      <Tooltip label="Look again">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label="Look for listening ports again"
          loading={ports.isFetching}
          onClick={() => void ports.refetch()}
        >
          <IconRefresh size={14} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
