import { Anchor, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';

/** What this server is. */
export function AboutPage(): React.JSX.Element {
  const info = useQuery(trpc.buildInfo.get.queryOptions({}));
  return (
    <Page title="About Berth">
      {info.isError ? (
        <ErrorNotice error={info.error} title="The server did not say what it is" onRetry={() => void info.refetch()} />
      ) : info.data === undefined ? (
        <Skeleton height={160} radius="md" />
      ) : (
        <Stack maw={640}>
          <div className="surface">
            <Table horizontalSpacing="md" aria-label="About this server">
              <Table.Tbody>
                <Fact name="Version" value={info.data.version} />
                <Fact name="Address" value={info.data.dashboard_url} />
                <Fact name="Deployment" value={info.data.deployment_id} />
                <Fact name="Agent API" value={info.data.agent_api_version} />
                <Fact name="Provisioner API" value={info.data.provisioner_api_version} />
              </Table.Tbody>
            </Table>
          </div>
          <Text size="sm">
            Everything here is also an API:{' '}
            <Anchor underline="always" href="/api/v2/docs">
              try it in the explorer
            </Anchor>
            , or read its{' '}
            <Anchor underline="always" href="/api/v2/openapi.json">
              OpenAPI document
            </Anchor>
            . Berth sends nothing to anyone.
          </Text>
        </Stack>
      )}
    </Page>
  );
}

function Fact({ name, value }: { name: string; value: string }): React.JSX.Element {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={150} fw={500}>
        {name}
      </Table.Th>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Code className="wrap-anywhere">{value}</Code>
          <CopyValue value={value} label={`Copy ${name.toLowerCase()}`} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
