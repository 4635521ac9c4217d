import { Text, Tooltip } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { latencyText } from './agent-look.ts';
import { When } from '../../ui/When.tsx';

/** What an agent runs on, which version it is, and since when it is away. */
export function AgentFacts({ agent }: { agent: WorkspaceAgent }): React.JSX.Element {
  const info = useQuery(trpc.buildInfo.get.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
  const latency = agent.status === 'connected' ? latencyText(agent.latency) : '';
  const isOther = agent.version !== '' && info.data !== undefined && info.data.version !== agent.version;
  return (
    <Text size="xs" c="dimmed" component="div">
      {[agent.operating_system, agent.architecture].filter((part) => part !== '').join(' · ')}
      {agent.version !== '' && ` · ${agent.version}`}
      {latency !== '' && (
        <Tooltip label="The round trip between the server and the agent">
          <span className="tabular"> · {latency}</span>
        </Tooltip>
      )}
      {isOther && (
        <Tooltip
          label={`The server is ${info.data.version}. An agent takes the server’s version by itself; the next start does too.`}
          multiline
          maw={300}
        >
          <span> · will be updated</span>
        </Tooltip>
      )}
      {agent.status === 'disconnected' && agent.disconnected_at !== null && (
        <>
          {' · last seen '}
          <When at={agent.disconnected_at} />
        </>
      )}
    </Text>
  );
}
