import { Alert, Stack, Text, Title } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { IconPlugOff, IconTrash } from '@tabler/icons-react';
import { AgentCard } from '../agents/AgentCard.tsx';
import { BuildLog } from '../builds/BuildLog.tsx';
import { useBuildPlace } from '../builds/use-build-place.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { agentsOf } from '../workspaces/situation.ts';
import { Resources } from './Resources.tsx';
import { useWhy } from './use-why.ts';

/** What a person wants first: the build while it runs or after it failed, else the agents, then what the workspace is made of. */
export function Overview({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const build = workspace.latest_build;
  const showsLog = isBuildActive(build.status) || build.status === 'failed' || build.status === 'canceled';
  const agents = agentsOf(build);
  const why = useWhy(build);
  const place = useBuildPlace(build, null, build.status === 'failed' ? { kind: 'error' } : null);
  return (
    <Stack gap="lg">
      {build.status === 'failed' && why !== undefined && !why.sentence.includes(build.job.error.trim()) && (
        <Alert color="red" title={`Build ${build.build_number} failed`} role="alert">
          <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
            {build.job.error}
          </Text>
        </Alert>
      )}
      {showsLog && (
        <Stack gap="xs">
          <Title order={2}>Build log</Title>
          <BuildLog key={build.id} id={build.id} of="build" label={`Log of build ${build.build_number}`} place={place} />
        </Stack>
      )}
      {build.transition === 'start' && agents.map((agent) => <AgentCard key={agent.id} agent={agent} workspace={workspace} />)}
      {build.status === 'stopped' && (
        <EmptyState icon={<IconPlugOff size={24} />} title="Nothing runs here now">
          Terminal, apps and ports come back when the workspace starts. Your files are kept.
        </EmptyState>
      )}
      {build.status === 'deleted' && (
        <EmptyState
          icon={<IconTrash size={24} />}
          title="This workspace is gone"
          action={<ButtonLink to="/workspaces">Go to the workspaces</ButtonLink>}
        >
          Its files went with it. Its builds and their logs stay, and so does every entry in the audit log.
        </EmptyState>
      )}
      <Resources resources={build.resources} />
    </Stack>
  );
}
