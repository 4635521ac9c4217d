import { Box, SimpleGrid, Text, Tooltip } from '@mantine/core';
import { useSubscription } from '@trpc/tanstack-react-query';
import { trpc } from '../../api/trpc.ts';

/** The values that an agent collects again and again, as they change. */
export function AgentMetadata({ agentId }: { agentId: string }): React.JSX.Element | null {
  const { data = [] } = useSubscription(trpc.agents.watchMetadata.subscriptionOptions({ workspaceagent: agentId }));
  if (data.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="md" component="dl" m={0}>
      {data.map(({ description, result }) => (
        <Box key={description.key} miw={0}>
          <Text component="dt" size="xs" c="dimmed" truncate>
            {description.display_name === '' ? description.key : description.display_name}
          </Text>
          <Tooltip label={result.error} disabled={result.error === ''} multiline maw={320}>
            <Text
              component="dd"
              m={0}
              size="sm"
              fw={500}
              className="tabular wrap-anywhere"
              lineClamp={3}
              c={result.error === '' ? undefined : 'var(--mantine-color-error)'}
            >
              {result.error === '' ? (result.collected_at === null ? '…' : result.value.trim() || '–') : 'failed'}
            </Text>
          </Tooltip>
        </Box>
      ))}
    </SimpleGrid>
  );
}
