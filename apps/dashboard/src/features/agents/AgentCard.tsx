import { Alert, Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconTerminal2 } from '@tabler/icons-react';
import { agentLook } from './agent-look.ts';
import { AgentApps } from './AgentApps.tsx';
import { AgentLogs } from './AgentLogs.tsx';
import { AgentMetadata } from './AgentMetadata.tsx';
import { ListeningPorts } from './ListeningPorts.tsx';
import { webUrl } from './app-url.ts';
import { ButtonLink } from '../../ui/links.tsx';

interface Props {
  readonly agent: WorkspaceAgent;
  readonly workspace: Workspace;
}

/** One agent: how it is, how to get in, what it serves and what its scripts said. */
export function AgentCard({ agent, workspace }: Props): React.JSX.Element {
  const look = agentLook(agent.status, agent.lifecycle_state);
  const isConnected = agent.status === 'connected';
  const help = webUrl(agent.troubleshooting_url);
  return (
    <Stack className="surface" p="md" gap="md" component="section" aria-label={`Agent ${agent.name}`}>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2}>{agent.name}</Title>
          <Badge color={look.color}>{look.label}</Badge>
          <Text size="xs" c="dimmed">
            {[agent.operating_system, agent.architecture, agent.version].filter((part) => part !== '').join(' · ')}
          </Text>
        </Group>
        {isConnected && agent.display_apps.includes('web_terminal') && (
          <ButtonLink
            size="xs"
            leftSection={<IconTerminal2 size={16} />}
            to="/@{$owner}/$name"
            params={{ owner: workspace.owner_name, name: workspace.name }}
            search={{ tab: 'terminal', agent: agent.name }}
          >
            Terminal
          </ButtonLink>
        )}
      </Group>
      {!agent.health.healthy && (
        <Alert color="orange" p="sm">
          <Text size="sm">{agent.health.reason}</Text>
          {help !== undefined && (
            <Anchor size="sm" href={help} target="_blank" rel="noreferrer">
              How to fix this
            </Anchor>
          )}
        </Alert>
      )}
      <AgentApps agent={agent} workspace={workspace} />
      {isConnected && <AgentMetadata agentId={agent.id} />}
      {isConnected && <ListeningPorts key={agent.lifecycle_state} agent={agent} />}
      <AgentLogs agent={agent} />
    </Stack>
  );
}
