import { ActionIcon, Alert, Button, Code, Group, NumberInput, Stack, Text, Title, Tooltip } from '@mantine/core';
import type { WorkspaceAgent, WorkspaceAgentListeningPorts } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { sshTarget } from './connect-words.ts';
import { PortRow } from './PortRow.tsx';
import { shownPorts, wellKnownPorts } from './ports.ts';
import { APP_HOST_SETTING, useAppHost } from './use-app-host.ts';
import { usePorts, useSharePort } from './use-ports.ts';

interface Props {
  readonly agent: WorkspaceAgent;
  readonly workspace: Workspace;
  readonly mayShare: boolean;
}

const NOTHING: WorkspaceAgentListeningPorts = { ports: [], hidden: [] };

/** The ports of a workspace: which process listens on each, where it opens and who else can open it. */
export function AgentPorts({ agent, workspace, mayShare }: Props): React.JSX.Element {
  const host = useAppHost();
  const { listening, shares, levelMax } = usePorts(workspace, agent);
  const share = useSharePort(workspace, agent);
  const [asked, setAsked] = useState<readonly number[]>([]);
  const found = listening.data ?? NOTHING;
  const ports = shownPorts({ listening: found, apps: agent.apps, shares, asked });
  const wellKnown = wellKnownPorts(found);
  return (
    <Stack gap="xs" component="section" aria-label={`Ports of ${agent.name}`}>
      <Group gap="xs">
        <Title order={3} size="sm">
          Ports
        </Title>
        <Tooltip label="Look again">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Look for listening ports again"
            onClick={() => void listening.refetch()}
          >
            <IconRefresh size={14} />
          </ActionIcon>
        </Tooltip>
        <Text size="xs" c="dimmed" role="status">
          {listening.isError
            ? 'The listening ports are unknown right now.'
            : listening.isPending
              ? 'Looking for listening ports…'
              : ports.length === 0 && wellKnown === ''
                ? 'No process is listening. Start a server in the workspace and it appears here.'
                : ''}
        </Text>
        <AskPort onAsk={(port) => setAsked([...asked, port])} />
      </Group>
      {host === '' && ports.length > 0 && (
        <Alert color="gray" p="xs">
          <Text size="sm">
            Ports have no address because this server has no domain for them. An administrator can set <Code>{APP_HOST_SETTING}</Code>.
            Until then, forward a port to your computer with{' '}
            <Code>
              berth port-forward {sshTarget(workspace, agent)} --tcp {ports[0]?.port}
            </Code>
            .
          </Text>
        </Alert>
      )}
      {ports.length > 0 && (
        <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {ports.map((shown) => (
            <PortRow
              key={shown.port}
              shown={shown}
              isApp={shown.apps.length > 0 && shown.share === undefined && !asked.includes(shown.port)}
              place={{ ownerName: workspace.owner_name, workspaceName: workspace.name, agentName: agent.name }}
              host={host}
              levelMax={levelMax}
              mayShare={mayShare && host !== ''}
              isPending={share.isPending && share.variables.port === shown.port}
              onChange={share.mutate}
            />
          ))}
        </Stack>
      )}
      {wellKnown !== '' && (
        <Text size="xs" c="dimmed">
          Not listed, because they belong to well-known services: {wellKnown}. Forward one with <Code>berth port-forward</Code>.
        </Text>
      )}
    </Stack>
  );
}

const PORT_MIN = 9;
const PORT_MAX = 65_535;

/** Adds a port to the list, for example one that no process listens on yet. */
function AskPort({ onAsk }: { onAsk: (port: number) => void }): React.JSX.Element {
  const [port, setPort] = useState<number | string>('');
  const isWhole = typeof port === 'number' && Number.isInteger(port) && port >= PORT_MIN && port <= PORT_MAX;
  return (
    <form
      style={{ marginLeft: 'auto' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWhole) return;
        onAsk(port);
        setPort('');
      }}
    >
      <Group gap={4} wrap="nowrap">
        <NumberInput
          size="xs"
          w={110}
          aria-label="Another port"
          placeholder="Another port"
          hideControls
          allowDecimal={false}
          allowNegative={false}
          max={PORT_MAX}
          value={port}
          onChange={setPort}
        />
        <Button type="submit" size="xs" variant="default" px="xs" disabled={!isWhole} aria-label="List the port">
          <IconPlus size={14} />
        </Button>
      </Group>
    </form>
  );
}
