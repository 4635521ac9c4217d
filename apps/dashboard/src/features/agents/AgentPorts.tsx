import { ActionIcon, Alert, Button, Code, Group, NumberInput, Stack, Text, Title, Tooltip } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { sshTarget } from './connect-words.ts';
import { PortRow } from './PortRow.tsx';
import { shownPorts } from './ports.ts';
import { APP_HOST_SETTING, useAppHost } from './use-app-host.ts';
import { usePorts, useSharePort } from './use-ports.ts';

interface Props {
  readonly agent: WorkspaceAgent;
  readonly workspace: Workspace;
  readonly mayShare: boolean;
}

/** The ports of a workspace: what listens, where it opens and who else may open it. Those of apps are shown as apps. */
export function AgentPorts({ agent, workspace, mayShare }: Props): React.JSX.Element {
  const host = useAppHost();
  const { listening, shares, levelMax } = usePorts(workspace, agent);
  const share = useSharePort(workspace, agent);
  const [asked, setAsked] = useState<readonly number[]>([]);
  const ports = shownPorts({ listening: listening.data?.ports ?? [], shares, asked });
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
            ? 'What listens is not known now.'
            : listening.isPending
              ? 'Looking for what listens…'
              : ports.length === 0
                ? 'Nothing listens now. A server that you start in the workspace shows up here.'
                : ''}
        </Text>
        <AskPort onAsk={(port) => setAsked([...asked, port])} />
      </Group>
      {host === '' && ports.length > 0 && (
        <Alert color="gray" p="xs">
          <Text size="sm">
            Ports have no address here: this server has no domain for them. Whoever runs it sets <Code>{APP_HOST_SETTING}</Code>. Until
            then,{' '}
            <Code>
              berth port-forward {sshTarget(workspace, agent)} --tcp {ports[0]?.port}
            </Code>{' '}
            brings one to your computer.
          </Text>
        </Alert>
      )}
      {ports.length > 0 && (
        <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {ports.map((shown) => (
            <PortRow
              key={shown.port}
              shown={shown}
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
    </Stack>
  );
}

const PORT_MIN = 9;
const PORT_MAX = 65_535;

/** A port that is not listed: it does not listen yet, or not where the agent looks. */
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
