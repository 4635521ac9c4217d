import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import { useState } from 'react';
import { AgentLog } from '../agents/AgentLog.tsx';
import { waitsForStartScript } from './start-gate.ts';

interface Props {
  readonly agent: WorkspaceAgent;
  readonly children: React.ReactNode;
}

/** Shows what the start script does until it is done, and then the shell; who cannot wait goes in at once. */
export function StartGate({ agent, children }: Props): React.JSX.Element {
  const [isImpatient, setImpatient] = useState(false);
  if (isImpatient || !waitsForStartScript(agent)) return <>{children}</>;
  return (
    <Stack p="md" gap="sm" h="100%" style={{ overflow: 'auto' }}>
      <Group justify="space-between">
        <div>
          <Title order={2}>The start script is still at work</Title>
          <Text size="sm" c="dimmed" role="status">
            The shell opens by itself when it is done.
          </Text>
        </div>
        <Button size="xs" variant="default" onClick={() => setImpatient(true)}>
          Open a shell anyway
        </Button>
      </Group>
      <AgentLog key={agent.id} agent={agent} />
    </Stack>
  );
}
