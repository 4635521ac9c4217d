import { Alert, Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconPlugConnected, IconTerminal2 } from '@tabler/icons-react';
import { agentLook } from './agent-look.ts';
import { AgentApps } from './AgentApps.tsx';
import { AgentFacts } from './AgentFacts.tsx';
import { AgentMetadata } from './AgentMetadata.tsx';
import { AgentMore } from './AgentMore.tsx';
import { AgentPorts } from './AgentPorts.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';
import { webUrl } from './app-url.ts';
import { useWorkspaceRights } from '../workspace/use-workspace-rights.ts';
import { ButtonLink } from '../../ui/links.tsx';

interface Props {
  readonly agent: WorkspaceAgent;
  readonly workspace: Workspace;
}

/** One agent: how it is, how to get in, what it serves and what its scripts said. */
export function AgentCard({ agent, workspace }: Props): React.JSX.Element {
  const look = agentLook(agent.status, agent.lifecycle_state);
  const { may, isKnown } = useWorkspaceRights(workspace);
  // Most people who look may enter: until it is known, nothing jumps for them.
  const mayEnter = may.ssh || !isKnown;
  const [isConnecting, connection] = useDisclosure(false);
  const isConnected = agent.status === 'connected';
  const help = webUrl(agent.troubleshooting_url);
  return (
    <Stack className="surface" p="md" gap="md" component="section" aria-label={`Agent ${agent.name}`}>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2}>{agent.name}</Title>
          <Badge color={look.color}>{look.label}</Badge>
          <AgentFacts agent={agent} />
        </Group>
        {mayEnter && (
          <Group gap="xs">
            <Button size="xs" variant="default" leftSection={<IconPlugConnected size={16} />} onClick={connection.open}>
              Connect
            </Button>
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
        )}
      </Group>
      <ConnectDialog agent={agent} workspace={workspace} isOpen={isConnecting} onClose={connection.close} />
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
      <AgentMore key={agent.id} agent={agent} workspace={workspace} />
      {isConnected && may.ssh && <AgentPorts agent={agent} workspace={workspace} mayShare={may.update} />}
    </Stack>
  );
}
