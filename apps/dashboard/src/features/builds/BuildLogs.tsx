import { Group, SegmentedControl, Stack, Title } from '@mantine/core';
import type { WorkspaceBuild, WorkspaceBuildTimings } from '@berth/api/contract/builds';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { AgentLog } from '../agents/AgentLog.tsx';
import type { LogPlace } from '../logs/log-place.ts';
import { fragmentOf, targetOf } from '../logs/log-target.ts';
import type { ShownFeed } from '../logs/use-log-feed.ts';
import { agentsOf } from '../workspaces/situation.ts';
import { JobLogView } from './BuildLog.tsx';
import { useStageTimes } from './timeline/use-timings.ts';
import { useBuildPlace } from './use-build-place.ts';

const LOG_PX = 640;
const OF_THE_BUILD = '';

interface Props {
  readonly build: WorkspaceBuild;
  readonly feed: ShownFeed;
  readonly timings: WorkspaceBuildTimings | undefined;
}

/** The logs of a build: its provisioner's, and those of the scripts of each agent. The address names the log, and a line of it. */
export function BuildLogs({ build, feed, timings }: Props): React.JSX.Element {
  const { log = OF_THE_BUILD } = useSearch({ from: '/session/shell/@{$owner}/$name/builds/$number' });
  const navigate = useNavigate({ from: '/@{$owner}/$name/builds/$number' });
  const { hash } = useLocation();
  const agents = agentsOf(build).filter(({ scripts, logs_length: length }) => scripts.length > 0 || length > 0);
  const agent = agents.find(({ name }) => name === log);
  const measured = useStageTimes(timings, agent?.id ?? null);
  const lines = useBuildPlace(build, agent?.name ?? null, targetOf(hash));
  const place: LogPlace = {
    ...lines,
    onPick: (number) =>
      void navigate({ search: (search) => search, hash: fragmentOf({ kind: 'line', number }), replace: true, resetScroll: false }),
  };
  return (
    <Stack gap="xs" component="section" aria-label="Log">
      <Group justify="space-between" gap="xs">
        <Title order={2}>Log</Title>
        {agents.length > 0 && (
          <SegmentedControl
            size="xs"
            aria-label="Whose log"
            value={agent === undefined ? OF_THE_BUILD : agent.name}
            data={[{ value: OF_THE_BUILD, label: 'Build' }, ...agents.map(({ name }) => ({ value: name, label: `Scripts of ${name}` }))]}
            onChange={(next) =>
              void navigate({ search: next === OF_THE_BUILD ? {} : { log: next }, hash: '', replace: true, resetScroll: false })
            }
          />
        )}
      </Group>
      {agent === undefined ? (
        <JobLogView feed={feed} label={`Log of build ${build.build_number}`} maxHeight={LOG_PX} place={place} measured={measured} />
      ) : (
        <AgentLog key={agent.id} agent={agent} maxHeight={LOG_PX} place={place} measured={measured} />
      )}
    </Stack>
  );
}
