import { Stack, Table, Text, Title } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { DataTable } from '../../ui/DataTable.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { When } from '../../ui/When.tsx';
import { useTimings } from '../builds/timeline/use-timings.ts';
import { fragmentOf } from '../logs/log-target.ts';
import { latencyText } from './agent-look.ts';
import { scriptRows } from './script-rows.ts';
import { duration } from '../../ui/relative-time.ts';

const COLUMNS = [{ title: 'Script' }, { title: 'Runs', from: 'sm' as const }, { title: 'Took' }, { title: 'Result' }];

interface Props {
  readonly agent: WorkspaceAgent;
  readonly workspace: Workspace;
}

/** How an agent came up, where it is at home, and how its scripts went. */
export function AgentDetails({ agent, workspace }: Props): React.JSX.Element {
  const build = workspace.latest_build;
  const { timings } = useTimings({ build, isLatest: true });
  const scripts = scriptRows(agent, timings);
  const page = { owner: workspace.owner_name, name: workspace.name, number: String(build.build_number) };
  return (
    <Stack gap="md">
      <Facts facts={factsOf(agent)} />
      {scripts.length > 0 && (
        <Stack gap="xs">
          <Title order={3} size="sm">
            Scripts
          </Title>
          <DataTable label={`Scripts of ${agent.name}`} columns={COLUMNS}>
            {scripts.map((script) => (
              <Table.Tr key={script.key}>
                <Table.Th scope="row" fw={500}>
                  <AnchorLink
                    size="sm"
                    to="/@{$owner}/$name/builds/$number"
                    params={page}
                    search={{ log: agent.name }}
                    hash={fragmentOf({ kind: 'stage', stage: script.name })}
                  >
                    {script.name}
                  </AnchorLink>
                </Table.Th>
                <Table.Td visibleFrom="sm">
                  <Text size="sm">{script.occasion}</Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" className="tabular">
                    {script.took === '' ? '–' : script.took}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" c={script.hasFailed ? 'var(--mantine-color-error)' : undefined}>
                    {script.result}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </DataTable>
        </Stack>
      )}
      <Text size="sm">
        <AnchorLink to="/@{$owner}/$name/builds/$number" params={page}>
          Where the time of this start went
        </AnchorLink>
      </Text>
    </Stack>
  );
}

function factsOf(agent: WorkspaceAgent): (readonly [string, React.ReactNode])[] {
  const latency = latencyText(agent.latency);
  const folder = agent.expanded_directory === '' ? agent.directory : agent.expanded_directory;
  const { started_at: started, ready_at: ready } = agent;
  const facts: (readonly [string, React.ReactNode])[] = [
    ['Came', <When key="came" at={agent.first_connected_at} never="not yet" />],
    ['Last heard of', <When key="heard" at={agent.last_connected_at} never="never" />],
  ];
  if (started !== null && ready !== null) facts.push(['Ready after', duration(Date.parse(ready) - Date.parse(started))]);
  if (latency !== '') facts.push(['Round trip to the server', latency]);
  if (folder !== '') facts.push(['Folder', folder]);
  if (agent.subsystems.length > 0) facts.push(['Runs in', agent.subsystems.join(', ')]);
  return facts;
}
